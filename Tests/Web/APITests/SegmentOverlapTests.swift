import Audience
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("/segments/overlap")
struct SegmentOverlapTests {
    private func segment(_ attribute: String, _ client: APIClient) async throws -> String {
        try await client.store.createSegment(
            SegmentContent(
                name: attribute,
                definition: "{\"custom\": \"\(attribute)\", \"test\": \"equal\", \"value\": true}",
                author: "Ada"
            ),
            in: client.workspace,
            now: APIClient.now
        ).apiID.uuidString.lowercased()
    }

    @Test("the users of one segment, of the other, of both and of either are counted")
    func counts() async throws {
        try await APIClient.run { client in
            // Every second user likes tea, every third cake.
            let users = (0..<30).map { number -> JSONValue in
                [
                    "external_id": .string("user-\(number)"), "tea": .bool(number % 2 == 0),
                    "cake": .bool(number % 3 == 0),
                ]
            }
            let tracked = try await client.post("/users/track", ["attributes": .array(users)])
            #expect(tracked.errors.isEmpty)
            try await client.audience.rebuild()
            let tea = try await segment("tea", client)
            let cake = try await segment("cake", client)
            let path = "/segments/overlap?segment_id=\(tea)&other_segment_id=\(cake)"
            let answer = try await client.get(path).body
            #expect(answer["users"] == 15)
            #expect(answer["other_users"] == 10)
            #expect(answer["in_both"] == 5)
            #expect(answer["in_either"] == 20)
            let unknown = UUID().uuidString
            let wrong = try await client.get(
                "/segments/overlap?segment_id=\(tea)&other_segment_id=\(unknown)"
            )
            #expect(wrong.status == .badRequest)
            #expect(wrong.message.contains("'other_segment_id'"))
        }
    }
}
