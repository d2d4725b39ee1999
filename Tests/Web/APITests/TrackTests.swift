import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Testing

@Suite("POST /users/track")
struct TrackTests {
    private let path = "/users/track"
    private let time: JSONValue = "2026-07-04T18:30:00Z"

    @Test("attributes, events and purchases are stored when the answer arrives")
    func stores() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                path,
                [
                    "attributes": [["external_id": "ada", "first_name": "Ada", "plan": "pro"]],
                    "events": [["external_id": "ada", "name": "viewed", "time": time]],
                    "purchases": [
                        [
                            "external_id": "ada", "product_id": "tea", "currency": "jpy",
                            "price": 3.5, "quantity": 2, "time": time,
                        ]
                    ],
                ]
            )
            #expect(answer.status == .created)
            #expect(
                answer.body == [
                    "message": "success", "attributes_processed": 1, "events_processed": 1,
                    "purchases_processed": 1,
                ]
            )
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.custom == ["plan": "pro"])
            let events = try await client.store.events(of: ada.id, limit: 10)
            #expect(Set(events.map(\.name)) == ["viewed", "$purchase"])
            let purchase = try #require(events.first { $0.name == "$purchase" })
            #expect(purchase.properties["currency"] == "JPY")
        }
    }

    @Test("an element at fault is named with list, index and field; the others count")
    func partial() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                path,
                [
                    "attributes": [
                        ["external_id": "ada", "gender": "x", "plan": "pro"],
                        ["first_name": "Nobody"],
                    ],
                    "events": [
                        ["external_id": "ada", "name": "viewed", "time": time],
                        ["external_id": "ada", "name": "viewed", "time": "soon"],
                        [
                            "external_id": "new", "name": "viewed", "time": time,
                            "_update_existing_only": true,
                        ],
                    ],
                ]
            )
            #expect(answer.status == .created)
            #expect(answer.message == "success")
            #expect(answer.body["attributes_processed"] == 1)
            #expect(answer.body["events_processed"] == 1)
            let places = answer.errors.map {
                "\($0["input_array"]?.stringValue ?? "") \($0["index"]?.integerValue ?? -1) "
                    + "\($0["field"]?.stringValue ?? "")"
            }
            #expect(
                Set(places) == [
                    "attributes 0 gender", "attributes 1 external_id", "events 1 time",
                    "events 2 user",
                ]
            )
            #expect(try await client.profile("new") == nil)
        }
    }

    @Test("an event with an id is stored once, however often it is sent")
    func resent() async throws {
        try await APIClient.run { client in
            let body: JSONValue = [
                "events": [
                    [
                        "external_id": "ada", "name": "viewed", "time": time,
                        "id": .string(UUID().uuidString),
                    ]
                ]
            ]
            for _ in 0..<3 {
                let answer = try await client.post(path, body)
                #expect(answer.body["events_processed"] == 1)
            }
            let ada = try #require(try await client.profile("ada"))
            #expect(try await client.store.events(of: ada.id, limit: 10).count == 1)
        }
    }

    @Test(
        "a body that cannot be used is refused with the reason, and nothing is stored",
        arguments: [
            (#"[]"#, "JSON object"), (#"{}"#, "attributes, events or purchases"),
            (#"{"events": {}}"#, "array"), (#"{"events": [}"#, "no JSON"), ("", "empty"),
            (String(repeating: "[", count: 100_000), "no JSON"),
        ]
    )
    func unusable(_ body: String, _ reason: String) async throws {
        try await APIClient.run { client in
            let answer = try await client.post(path, bytes: Data(body.utf8))
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains(reason), "\(answer.message)")
            #expect(try await client.store.userCounts(in: client.workspace).users == 0)
        }
    }

    @Test("more than 75 elements are refused as a whole")
    func tooMany() async throws {
        try await APIClient.run { client in
            let event: JSONValue = ["external_id": "ada", "name": "viewed", "time": time]
            let answer = try await client.post(
                path,
                ["events": .array(Array(repeating: event, count: 76))]
            )
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains("Max Input Length Exceeded"))
            #expect(try await client.profile("ada") == nil)
        }
    }

    @Test("text that is no UTF-8 is refused")
    func invalidText() async throws {
        try await APIClient.run { client in
            var body = Data(#"{"attributes": [{"external_id": "a"#.utf8)
            body += [0xFF, 0xC3, 0x28]
            body += Data(#""}]}"#.utf8)
            let answer = try await client.post(path, bytes: body)
            #expect(answer.status == .badRequest)
            #expect(try await client.store.userCounts(in: client.workspace).users == 0)
        }
    }

    @Test("a body that is too large is refused")
    func tooLarge() async throws {
        try await APIClient.run { client in
            let text = String(repeating: "x", count: 5 * 1024 * 1024)
            let answer = try await client.post(
                path,
                ["attributes": [["external_id": "ada", "note": .string(text)]]]
            )
            #expect(answer.status == .contentTooLarge)
            #expect(answer.message.contains("several requests"))
        }
    }

    @Test("a packed body is refused with what to do instead")
    func packed() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                path,
                bytes: Data([0x1F, 0x8B, 0x08, 0x00]),
                headers: [.contentEncoding: "gzip"]
            )
            #expect(answer.status == .unsupportedMediaType)
            #expect(answer.message.contains("without Content-Encoding"))
        }
    }

    @Test("a key is needed, a known and unrevoked one, with the endpoint's permission")
    func keys() async throws {
        try await APIClient.run { client in
            let body: JSONValue = ["attributes": [["external_id": "ada"]]]
            let nameless = try await client.send(path, .post, [:], ByteBuffer(string: "{}"))
            #expect(nameless.status == .unauthorized)
            #expect(nameless.headers[.wwwAuthenticate] == "Bearer")
            let unknown = try await client.post(path, body, key: "nrs_unknown")
            #expect(unknown.status == .unauthorized)
            let other = try await client.post(
                path,
                body,
                key: try await client.key(["messages.send"])
            )
            #expect(other.status == .forbidden)
            #expect(other.message.contains("users.track"))
            let own = try await client.key(["users.track"])
            #expect(try await client.post(path, body, key: own).status == .created)
            _ = try await client.store.revokeAPIKey(
                named: "users.track",
                in: client.workspace,
                noting: nil,
                now: APIClient.now
            )
            #expect(try await client.post(path, body, key: own).status == .unauthorized)
        }
    }

    @Test("a user's alias beside another identifier is added, unless it is somebody else's")
    func alias() async throws {
        try await APIClient.run { client in
            func element(_ id: String) -> JSONValue {
                [
                    "external_id": .string(id), "plan": "pro",
                    "user_alias": ["alias_name": "A-1", "alias_label": "crm"],
                ]
            }
            let answer = try await client.post(
                path,
                ["attributes": [element("ada"), element("ben")]]
            )
            #expect(answer.body["attributes_processed"] == 2)
            #expect(answer.errors.compactMap { $0["field"] } == ["user_alias"])
            #expect(answer.errors.first?["index"] == 1)
            let named = try await client.store.profile(
                .alias(name: "A-1", label: "crm"),
                in: client.workspace
            )
            #expect(named?.externalID == "ada")
            #expect(try await client.profile("ben")?.custom == ["plan": "pro"])
        }
    }

    @Test("a phone number and an address that are none are refused by name, as identifiers too")
    func contacts() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                path,
                [
                    "attributes": [
                        ["external_id": "ada", "phone": "abc", "plan": "pro"],
                        ["phone": "abc", "plan": "pro"], ["email": "nobody", "plan": "pro"],
                        ["phone": "+81312345678", "plan": "pro"],
                    ]
                ]
            )
            #expect(
                answer.errors.compactMap { $0["field"]?.stringValue }.sorted() == [
                    "email", "phone", "phone",
                ]
            )
            #expect(answer.body["attributes_processed"] == 2)
            #expect(try await client.profile("ada")?.custom == ["plan": "pro"])
            #expect(try await client.store.userCounts(in: client.workspace).users == 2)
        }
    }

    @Test("the bulk endpoint takes a thousand elements, a hundred of one user, no more")
    func bulk() async throws {
        try await APIClient.run { client in
            func users(_ count: Int) -> [JSONValue] {
                (0..<count).map { ["external_id": .string("u\($0)"), "plan": "pro"] }
            }
            func events(_ count: Int) -> [JSONValue] {
                (0..<count).map { _ in
                    ["external_id": "ada", "name": "viewed", "time": "2026-07-04T18:30:00Z"]
                }
            }
            func post(_ users: [JSONValue], _ events: [JSONValue]) async throws -> APIClient.Answer
            {
                try await client.post(
                    "/users/track/bulk",
                    ["attributes": .array(users), "events": .array(events)]
                )
            }
            let all = try await post(users(900), events(100))
            #expect(all.status == .created)
            #expect(all.body["attributes_processed"] == 900)
            #expect(all.body["events_processed"] == 100)
            for (users, events) in [
                (users(901), events(100)), (users(1001), []), ([], events(101)),
            ] {
                let answer = try await post(users, events)
                #expect(answer.status == .badRequest)
                #expect(answer.message.contains("Max Input Length Exceeded"))
            }
            let own = try await client.key(["users.track"])
            let denied = try await client.post(
                "/users/track/bulk",
                ["attributes": .array(users(1))],
                key: own
            )
            #expect(denied.status == .forbidden)
        }
    }

    @Test("an unknown path is not found")
    func unknownPath() async throws {
        try await APIClient.run { client in
            let answer = try await client.post("/users/trace", [:])
            #expect(answer.status == .notFound)
        }
    }
}
