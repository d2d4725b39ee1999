import Foundation
import HTTPTypes
import NoroshiWire
import Testing

@Suite("Lists")
struct ListTests {
    @Test("events and attributes are listed by name, the system's own events are not")
    func names() async throws {
        try await APIClient.run { client in
            let empty = try await client.get("/events/list")
            #expect(empty.body == ["message": "success", "events": []])
            let time: JSONValue = "2026-07-04T18:30:00Z"
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": [["external_id": "ada", "plan": "pro"]],
                    "events": [
                        ["external_id": "ada", "name": "viewed", "time": time],
                        ["external_id": "ada", "name": "bought", "time": time],
                    ],
                    "purchases": [
                        [
                            "external_id": "ada", "product_id": "tea", "currency": "JPY",
                            "price": 3, "time": time,
                        ]
                    ],
                ]
            )
            let events = try await client.get("/events/list?page=0")
            #expect(events.status == .ok)
            #expect(events.body["events"] == ["bought", "viewed"])
            #expect(try await client.get("/events/list?page=1").body["events"] == [])
            let wrong = try await client.get("/events/list?page=-1")
            #expect(wrong.status == .badRequest)
            let attributes = try await client.get("/custom_attributes")
            #expect(attributes.body["attributes"] == [["name": "plan"]])
        }
    }
}
