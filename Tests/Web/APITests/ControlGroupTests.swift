import Audience
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("The workspace's control group over REST")
struct ControlGroupTests {
    private func fill(_ client: APIClient) async throws -> [ProfileID] {
        let names = (0..<60).map { "user-\($0)" }
        // Every third one buys: the first of them for 3, the second for 6 …
        let purchases = names.indices.filter { $0 % 3 == 0 }.map { number -> JSONValue in
            [
                "external_id": .string(names[number]), "product_id": "tea", "currency": "JPY",
                "price": .number(Double(number)), "quantity": 1, "time": "2026-09-20T10:00:00Z",
            ]
        }
        for batch in stride(from: 0, to: names.count, by: 50) {
            let answer = try await client.post(
                "/users/track",
                [
                    "attributes": .array(
                        names[batch..<min(batch + 50, names.count)].map {
                            ["external_id": .string($0)]
                        }
                    )
                ]
            )
            #expect(answer.errors.isEmpty)
        }
        let answer = try await client.post("/users/track", ["purchases": .array(purchases)])
        #expect(answer.errors.isEmpty)
        try await client.audience.rebuild()
        var users: [ProfileID] = []
        for name in names {
            users.append(
                try #require(try await client.store.profile(.external(name), in: client.workspace))
                    .id
            )
        }
        return users
    }

    @Test("its share is set, its members are counted, and exported as they are")
    func members() async throws {
        try await APIClient.run { client in
            let users = try await fill(client)
            let before = try await client.get("/workspace/control_group").body
            #expect(before["share"] == 0)
            #expect(before["users"] == 0)
            #expect(before["since"] == .null)
            let answer = try await client.post("/workspace/control_group/update", ["share": 20])
            #expect(answer.status == .ok, "\(answer.body)")
            let group = try #require(
                try await client.store.limits(of: client.workspace).controlGroup
            )
            let members = users.indices.filter { group.contains(users[$0]) }
            #expect(!members.isEmpty)
            #expect(answer.body["users"]?.integerValue == Int64(members.count))
            #expect(try await client.get("/workspace/control_group").body == answer.body)

            let export = try await client.post(
                "/users/export/global_control_group",
                ["fields_to_export": ["external_id"], "output_format": "zip"]
            )
            let url = try #require(export.body["url"]?.stringValue.flatMap(URL.init))
            let text = String(decoding: try await client.bytes(url.path), as: UTF8.self)
            for number in users.indices {
                let isThere = text.contains("\"external_id\":\"user-\(number)\"")
                #expect(isThere == members.contains(number), "\(number)")
            }
            for (field, body) in [
                ("share", ["share": 51]), ("share", ["share": "many"]), ("share", [:]),
            ] as [(String, JSONValue)] {
                let refused = try await client.post("/workspace/control_group/update", body)
                #expect(refused.status == .badRequest)
                #expect(refused.message.contains("'\(field)'"), "\(refused.message)")
            }
        }
    }

    @Test("the report counts each group's users, buyers and revenue")
    func report() async throws {
        try await APIClient.run { client in
            let users = try await fill(client)
            let question: JSONValue = [
                "length": 7, "activity": ["purchase": []], "currency": "jpy",
            ]
            let none = try await client.post("/reports/control_group", question)
            #expect(none.status == .ok, "\(none.body)")
            #expect(none.body["share"] == 0)
            #expect(none.body["measures"] == [])
            _ = try await client.post("/workspace/control_group/update", ["share": 50])
            let group = try #require(
                try await client.store.limits(of: client.workspace).controlGroup
            )
            let answer = try await client.post("/reports/control_group", question).body
            func figures(_ measure: Int, _ place: Int, _ name: String) -> Double? {
                answer["measures"]?.arrayValue?[measure]["groups"]?.arrayValue?[place][name]?
                    .doubleValue
            }
            for (place, isControl) in [(0, true), (1, false)] {
                let own = users.indices.filter { group.contains(users[$0]) == isControl }
                let buyers = own.filter { $0 % 3 == 0 }
                #expect(figures(0, place, "users") == Double(own.count))
                #expect(figures(0, place, "total") == Double(buyers.count))
                #expect(figures(1, place, "total") == Double(buyers.reduce(0, +)))
            }
            // Who bought at all is the same in whatever currency the revenue is.
            let dollars = try await client.post(
                "/reports/control_group",
                ["length": 7, "activity": ["purchase": []], "currency": "USD"]
            ).body["measures"]?.arrayValue
            #expect(dollars?[0] == answer["measures"]?.arrayValue?[0])
            #expect(dollars?[1]["groups"]?.arrayValue?.map { $0["total"] } == [0, 0])
            let ids = answer["measures"]?.arrayValue?[0]["groups"]?.arrayValue?.map { $0["id"] }
            #expect(ids == ["control", "others"])
            let wrong = try await client.post(
                "/reports/control_group",
                ["length": 7, "activity": ["session": true], "currency": "JPY"]
            )
            #expect(wrong.status == .badRequest)
            #expect(wrong.message.contains("currency"))
        }
    }
}
