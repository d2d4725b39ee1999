import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Testing

@Suite("What an event's details tell")
struct EventDetailTests {
    private func post(_ events: [JSONValue], _ client: APIClient) async throws {
        let answer = try await client.post("/users/track", ["events": .array(events)])
        #expect(answer.errors.isEmpty, "\(answer.body)")
    }

    @Test("properties are told with their types and most frequent values, the newest users first")
    func details() async throws {
        try await APIClient.run { client in
            let shops: [JSONValue] = [
                "Kyoto", "Kyoto", "日本橋 \"2\"", 4, true, ["a"], ["b": 1], false,
            ]
            let events = shops.enumerated().map { number, shop -> JSONValue in
                [
                    "external_id": .string("user-\(number)"), "name": "viewed",
                    "time": .string("2026-09-0\(number + 1)"),
                    "properties": number == 7 ? [:] : ["shop": shop, "n": 1],
                ]
            }
            try await post(events, client)
            let answer = try await client.get("/events/details?event=viewed")
            #expect(answer.status == .ok)
            #expect(answer.body["sample"] == 8 && answer.body["status"] == "Active")
            let properties = try #require(answer.body["properties"]?.arrayValue)
            #expect(properties.map { $0["name"] } == ["n", "shop"])
            #expect(properties.map { $0["events"] } == [7, 7])
            #expect(
                properties[1]["types"]
                    == ["text": 3, "number": 1, "boolean": 1, "list": 1, "object": 1]
            )
            let values = try #require(properties[1]["values"]?.arrayValue)
            #expect(values.first?["value"] == "Kyoto" && values.first?["events"] == 2)
            let others = values.dropFirst().compactMap { $0["value"] }
            #expect(Set(others) == ["日本橋 \"2\"", 4, true])
            let latest = try #require(answer.body["latest"]?.arrayValue)
            #expect(latest.map { $0["user"] } == (0..<8).reversed().map { .string("user-\($0)") })
        }
    }

    @Test("an event that never was, and one of the system, are unknown")
    func unknown() async throws {
        try await APIClient.run { client in
            for name in ["nosuch", "$session_start", ""] {
                let answer = try await client.get(
                    "/events/details?event=\(name.replacing("$", with: "%24"))"
                )
                #expect(answer.status == .badRequest, "\(name)")
                #expect(answer.message.contains("event"))
            }
        }
    }
}
