import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("/workspace/…")
struct WorkspaceTests {
    @Test("settings that are sent are changed, the others stay")
    func update() async throws {
        try await APIClient.run { client in
            let before = try await client.get("/workspace/details")
            let answer = try await client.post(
                "/workspace/update",
                ["currency": "jpy", "languages": ["ja", "en"], "color": "plum"]
            )
            #expect(answer.status == .ok)
            let after = try await client.get("/workspace/details").body
            #expect(after["name"] == before.body["name"])
            #expect(after["time_zone"] == before.body["time_zone"])
            #expect(after["currency"] == "JPY" && after["color"] == "plum")
            #expect(after["languages"] == ["ja", "en"])
        }
    }

    @Test(
        "a setting that cannot be used is named, and nothing is changed",
        arguments: [
            ("name", ""), ("time_zone", "Tokyo Time"), ("currency", "YENS"), ("color", "mauve"),
        ] as [(String, JSONValue)] + [("languages", ["nihongo"]), ("name", 7)]
    )
    func refusals(field: String, value: JSONValue) async throws {
        try await APIClient.run { client in
            let before = try await client.get("/workspace/details").body
            var body: [String: JSONValue] = ["name": "Changed"]
            body[field] = value
            let answer = try await client.post("/workspace/update", .object(body))
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains("'\(field)'"))
            #expect(try await client.get("/workspace/details").body == before)
        }
    }

    @Test("periods that are sent are changed, null keeps for ever, and the log says so")
    func retention() async throws {
        try await APIClient.run { client in
            func periods(_ answer: JSONValue) -> [JSONValue?] {
                (answer["retention"]?.arrayValue ?? []).map { $0["days"] }
            }
            #expect(
                try await periods(client.get("/workspace/retention").body)
                    == [.null, .null, .null, .null, .null, .null, .null]
            )
            let path = "/workspace/retention/update"
            let both = try await client.post(path, ["record_id_days": 30, "audit_days": 400])
            #expect(both.status == .ok)
            #expect(periods(both.body) == [30, 400, .null, .null, .null, .null, .null])
            let one = try await client.post(path, ["audit_days": .null])
            #expect(periods(one.body) == [30, .null, .null, .null, .null, .null, .null])
            #expect(
                one.body["retention"]?.arrayValue?.map { $0["state"] }
                    == ["waiting", "off", "off", "off", "off", "off", "off"]
            )
            let more = try await client.post(
                path,
                [
                    "custom_event_days": 180, "session_days": 90, "in_app_report_days": 400,
                    "push_report_days": 120, "dispatch_days": 150,
                ]
            )
            #expect(periods(more.body) == [30, .null, 180, 90, 400, 120, 150])
            for value in [29, -5, 40_000, "a year", 30.5] as [JSONValue] {
                let answer = try await client.post(path, ["record_id_days": value])
                #expect(answer.status == .badRequest, "\(value)")
                #expect(answer.message.contains("'record_id_days'"))
                #expect(answer.message.contains("30"))
            }
            // What devices told of a push is told of one that is known.
            for body in [
                ["dispatch_days": 89], ["dispatch_days": 119], ["push_report_days": 151],
                ["push_report_days": .null],
            ] as [JSONValue] {
                let answer = try await client.post(path, body)
                #expect(answer.status == .badRequest, "\(body)")
                #expect(answer.message.contains("dispatch_days"), "\(answer.message)")
            }
            #expect(
                try await periods(client.get("/workspace/retention").body) == [
                    30, .null, 180, 90, 400, 120, 150,
                ]
            )
        }
    }

    @Test("it is told whose conversions keep old rows, where rows are removed")
    func holders() async throws {
        try await APIClient.run { client in
            var content = CampaignContent(
                name: "Pouring",
                delivery: .immediately,
                variants: [
                    CampaignVariant(
                        apiID: UUID(),
                        name: "A",
                        message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                    )
                ]
            )
            content.conversions = [ConversionEvent(event: EventMatch(.custom(name: "poured")))]
            let id = UUID()
            _ = try await client.store.createCampaign(
                content,
                apiID: id,
                in: client.workspace,
                now: Date(timeIntervalSince1970: 1_790_000_000)
            )
            func holders() async throws -> [String: JSONValue] {
                let answer = try await client.get("/workspace/retention").body
                var found: [String: JSONValue] = [:]
                for state in answer["retention"]?.arrayValue ?? [] {
                    found[state["kind"]?.stringValue ?? ""] = state["kept_for"]
                }
                return found
            }
            #expect(try await holders()["custom_events"] == [])
            _ = try await client.post(
                "/workspace/retention/update",
                ["custom_event_days": 180, "session_days": 180]
            )
            let holder: JSONValue = [
                "type": "campaign", "id": .string(id.uuidString.lowercased()), "name": "Pouring",
            ]
            #expect(try await holders()["custom_events"] == [holder])
            #expect(try await holders()["sessions"] == [])
        }
    }

    @Test("revenue in several currencies is that of the workspace's, and says so")
    func currency() async throws {
        try await APIClient.run { client in
            func buy(_ currency: JSONValue, _ price: JSONValue) -> JSONValue {
                [
                    "external_id": "ren", "product_id": "tea", "currency": currency,
                    "price": price, "quantity": 1, "time": .string(Timestamp.format(APIClient.now)),
                ]
            }
            _ = try await client.post(
                "/users/track",
                ["purchases": [buy("JPY", 480), buy("EUR", 12.5)]]
            )
            let path = "/purchases/revenue_series?length=1"
            #expect(try await client.get(path).message.contains("EUR, JPY"))
            _ = try await client.post("/workspace/update", ["currency": "JPY"])
            let answer = try await client.get(path).body
            #expect(answer["currency"] == "JPY")
            #expect(answer["data"]?.arrayValue?.last?["revenue"] == 480)
        }
    }
}
