import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Export of a segment")
struct SegmentExportTests {
    private func segment(in client: APIClient) async throws -> String {
        let segment = try await client.store.createSegment(
            SegmentContent(
                name: "Pro",
                definition: #"{"custom": "plan", "test": "equal", "value": "pro"}"#,
                author: "Ada"
            ),
            in: client.workspace,
            now: APIClient.now
        )
        return segment.apiID.uuidString
    }

    @Test("the users of a segment are in a ZIP file that can be fetched once")
    func export() async throws {
        try await APIClient.run { client in
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ada", "first_name": "Ada", "plan": "pro"],
                        ["external_id": "bob", "first_name": "Bob", "plan": "free"],
                        ["external_id": "eve", "first_name": "Eve", "plan": "pro"],
                    ],
                    "events": [
                        [
                            "external_id": "ada", "name": "viewed",
                            "time": "2026-09-20T12:00:00Z",
                        ]
                    ],
                ]
            )
            let answer = try await client.post(
                "/users/export/segment",
                [
                    "segment_id": .string(try await segment(in: client)),
                    "fields_to_export": ["external_id", "custom_events"],
                ]
            )
            #expect(answer.status == .created, "\(answer.message)")
            let url = try #require(answer.body["url"]?.stringValue.flatMap(URL.init))
            let prefix = try #require(answer.body["object_prefix"]?.stringValue)
            let file = try await client.bytes(url.path)
            let text = String(decoding: file, as: UTF8.self)
            #expect(file.prefix(4) == [0x50, 0x4B, 3, 4])
            #expect(text.contains("\(prefix)-1.txt"))
            #expect(text.contains(#""external_id":"ada""#))
            #expect(text.contains(#""name":"viewed""#))
            #expect(text.contains(#""external_id":"eve""#))
            #expect(!text.contains("bob"))
            #expect(!text.contains("first_name"))
            let again = try await client.send(url.path, .get, [:], nil)
            #expect(again.status == .notFound)
        }
    }

    @Test("an unknown segment, other formats and addresses to call are refused by name")
    func faults() async throws {
        try await APIClient.run { client in
            let known = JSONValue.string(try await segment(in: client))
            let cases: [([String: JSONValue], String)] = [
                (["segment_id": .string(UUID().uuidString)], "segment_id"),
                (["segment_id": known, "output_format": "gzip"], "output_format"),
                (
                    ["segment_id": known, "callback_endpoint": "http://127.0.0.1"],
                    "callback_endpoint"
                ),
            ]
            for (fields, field) in cases {
                let body = fields.merging(["fields_to_export": ["email"]]) { $1 }
                let answer = try await client.post("/users/export/segment", .object(body))
                #expect(answer.status == .badRequest)
                #expect(answer.errors.first?["field"] == .string(field))
            }
        }
    }
}
