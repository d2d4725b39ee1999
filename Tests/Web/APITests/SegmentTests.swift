import Audience
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Segments")
struct SegmentTests {
    private static let message: JSONValue = ["apple_push": ["alert": "Tea is ready"]]

    /// Three users, two of them in the segment "Pro".
    private func prepare(_ client: APIClient) async throws -> StoredSegment {
        _ = try await client.post(
            "/users/track",
            [
                "attributes": [
                    ["external_id": "ada", "plan": "pro", "points": 5],
                    ["external_id": "ben", "plan": "pro", "points": 50],
                    ["external_id": "cy", "plan": "free"],
                ]
            ]
        )
        return try await SegmentService(store: client.store, now: { APIClient.now }).create(
            SegmentService.Draft(
                name: "Pro",
                description: "Who pays",
                definition: .text(#"plan = "pro""#)
            ),
            by: .commandLine(account: "ada", client.workspace)
        )
    }

    private func send(_ answer: APIClient.Answer, _ client: APIClient) async throws -> Send {
        let number = try #require(answer.body["push_no"]?.integerValue)
        return try #require(try await client.store.send(SendID(number)))
    }

    @Test("are listed and described in words; their sizes are those that were counted")
    func lists() async throws {
        try await APIClient.run { client in
            let segment = try await prepare(client)
            let id = segment.apiID.uuidString.lowercased()
            let list = try await client.get("/segments/list")
            #expect(list.status == .ok)
            #expect(list.body["segments"]?.arrayValue?.first?["id"] == .string(id))
            #expect(try await client.get("/segments/list?page=1").body["segments"] == [])
            #expect(try await client.get("/segments/list?page=x").status == .badRequest)
            let details = try await client.get("/segments/details?segment_id=\(id)")
            #expect(details.body["name"] == "Pro")
            #expect(details.body["text_description"] == #"plan = "pro""#)
            let unknown = try await client.get("/segments/details?segment_id=\(UUID())")
            #expect(unknown.status == .badRequest)
            let day = Int(APIClient.now.timeIntervalSince1970 + 9 * 3600) / 86_400
            try await client.store.saveSegmentSizes([segment.id: 2], day: day - 1)
            let series = try await client.get(
                "/segments/data_series?segment_id=\(id)&length=7"
            )
            let data = try #require(series.body["data"]?.arrayValue)
            #expect(data.contains { $0["size"] == 2 })
            #expect(data.count <= 2)
            let wrong = try await client.get(
                "/segments/data_series?segment_id=\(id)&length=0"
            )
            #expect(wrong.status == .badRequest)
        }
    }

    @Test("choose the recipients of a message, by themselves or among named users")
    func sends() async throws {
        try await APIClient.run { client in
            let segment = try await prepare(client)
            let id = JSONValue.string(segment.apiID.uuidString)
            let broadcast = try await client.post(
                "/messages/send",
                ["segment_id": id, "broadcast": true, "messages": Self.message]
            )
            #expect(broadcast.status == .created)
            let query = SegmentQuery(segments: [segment.id])
            #expect(try await send(broadcast, client).content.audience == .matching(query))
            let filtered = try await client.post(
                "/messages/send",
                [
                    "segment_id": id, "messages": Self.message,
                    "external_user_ids": ["ada", "ben", "cy"],
                    "audience": [
                        "custom_attribute": [
                            "custom_attribute_name": "points", "comparison": "greater_than",
                            "value": 10,
                        ]
                    ],
                ]
            )
            let ben = try #require(
                try await client.store.profile(.external("ben"), in: client.workspace)
            )
            #expect(try await send(filtered, client).content.audience == .profiles([ben.id]))
            let noBroadcast = try await client.post(
                "/messages/send",
                ["segment_id": id, "messages": Self.message]
            )
            #expect(noBroadcast.status == .badRequest)
            let unknown = try await client.post(
                "/messages/send",
                [
                    "segment_id": "x", "broadcast": true, "messages": Self.message,
                ]
            )
            #expect(unknown.status == .badRequest)
            let wrong = try await client.post(
                "/messages/send",
                [
                    "broadcast": true, "messages": Self.message,
                    "audience": ["AND": [["custom_attribute": ["comparison": "equals"]]]],
                ]
            )
            #expect(wrong.status == .badRequest)
            #expect(wrong.errors.first?["field"]?.stringValue?.hasPrefix("audience.AND.0") == true)
        }
    }
}
