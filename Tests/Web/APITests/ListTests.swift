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
            #expect(
                attributes.body["attributes"] == [
                    [
                        "name": "plan", "data_type": "String (Automatically Detected)",
                        "description": nil, "array_length": nil, "status": "Active",
                        "tag_names": [],
                    ]
                ]
            )
            let rows = try await client.get("/events").body["events"]?.arrayValue ?? []
            #expect(rows.map { $0["name"] } == ["bought", "viewed"])
            #expect(rows.map { $0["status"] } == ["Active", "Active"])
        }
    }

    @Test("events and attributes are listed in pages that the header Link leads through")
    func pages() async throws {
        try await APIClient.run { client in
            let names = (100..<220).map { "thing_\($0)" }
            for start in stride(from: 0, to: names.count, by: 60) {
                let part = names.dropFirst(start).prefix(60)
                let answer = try await client.post(
                    "/users/track",
                    [
                        "attributes": .array(
                            part.map { ["external_id": "ada", $0: ["a", "b"]] }
                        ),
                        "events": .array(
                            part.map {
                                ["external_id": "ada", "name": .string($0), "time": "2026-07-04"]
                            }
                        ),
                    ]
                )
                #expect(answer.errors.isEmpty)
            }
            for (path, field) in [("/events", "events"), ("/custom_attributes", "attributes")] {
                var found: [String] = []
                var next: String? = path
                var pages = 0
                while let address = next {
                    let answer = try await client.get(address)
                    let rows = try #require(answer.body[field]?.arrayValue)
                    #expect(rows.count <= 50)
                    found += rows.compactMap { $0["name"]?.stringValue }
                    pages += 1
                    let link = answer.headers[try #require(HTTPField.Name("Link"))]
                    next = link.flatMap { $0.firstMatch(of: /<(.+)>/)?.1 }.map(String.init)
                }
                #expect(found == names)
                #expect(pages == 3)
            }
            let wrong = try await client.get("/events?cursor=x")
            #expect(wrong.status == .badRequest)
            #expect(wrong.message.contains("cursor"))
        }
    }
}
