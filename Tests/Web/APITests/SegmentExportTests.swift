import API
import Accounts
import Foundation
import Front
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Synchronization
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

    @Test("the users of a segment are in a ZIP file that can be fetched again")
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
            let file = try await self.file(client, url.path)
            let text = String(decoding: file, as: UTF8.self)
            #expect(file.prefix(4) == [0x50, 0x4B, 3, 4])
            #expect(text.contains("\(prefix)-1.txt"))
            #expect(text.contains(#""external_id":"ada""#))
            #expect(text.contains(#""name":"viewed""#))
            #expect(text.contains(#""external_id":"eve""#))
            #expect(!text.contains("bob"))
            #expect(!text.contains("first_name"))
            #expect(try await client.bytes(url.path) == file)
        }
    }

    /// What is behind a link, once the users are in memory.
    private func file(_ client: APIClient, _ path: String) async throws -> [UInt8] {
        while true {
            do {
                return Array(try await client.bytes(path))
            } catch let problem as AudienceError where problem.code == .notReady {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func ask(
        _ client: APIClient,
        _ more: [String: JSONValue] = [:],
        headers: HTTPFields = [:]
    ) async throws -> APIClient.Answer {
        var body: [String: JSONValue] = ["fields_to_export": ["external_id"]]
        if more["segment_id"] == nil {
            body["segment_id"] = .string(try await segment(in: client))
        }
        return try await client.post(
            "/users/export/segment",
            .object(body.merging(more) { $1 }),
            headers: headers
        )
    }

    @Test(
        "a link is good for hours, another server over the same store answers it, then it is gone"
    )
    func hours() async throws {
        let clock = Mutex(APIClient.now)
        try await APIClient.run(now: { clock.withLock { $0 } }) { client in
            let answer = try await ask(client)
            let path = try #require(answer.body["url"]?.stringValue.flatMap(URL.init)).path
            let token = try #require(path.split(separator: "/").last)
            #expect(token.utf8.count >= 32)
            clock.withLock { $0 += ExportLinkService.life - 1 }
            #expect(try await !file(client, path).isEmpty)
            // What a restart keeps is what the store keeps; the address itself is not in it.
            let links = ExportLinkService(
                store: client.store,
                now: { clock.withLock { $0 } },
                makeToken: { "" }
            )
            #expect(try await links.link(String(token)) != nil)
            #expect(try await links.link(token.uppercased()) == nil)
            clock.withLock { $0 += 1 }
            let late = try await client.send(path, .get, [:], nil)
            #expect(late.status == .notFound)
        }
    }

    @Test(
        "a link begins with HTTP or HTTPS and a host, whatever the request's headers say",
        arguments: [
            "javascript", "javascript://evil.example/%0aalert(1);", "ftp", "https,javascript",
            "http://evil.example/?", "",
        ]
    )
    func scheme(text: String) async throws {
        try await APIClient.run { client in
            let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
            let segment: [String: JSONValue] = [
                "segment_id": .string(try await segment(in: client))
            ]
            let answer = try await ask(client, segment, headers: [name: text])
            #expect(answer.status == .badRequest)
            #expect(answer.body["url"] == nil)
            let secure = try await ask(client, segment, headers: [name: "https"])
            #expect(secure.body["url"]?.stringValue?.hasPrefix("https://") == true)
        }
    }

    @Test("an address of this server is http or https with a plain host and a port, and no more")
    func addresses() {
        for (text, address) in [
            ("https://push.example.com", "https://push.example.com"),
            ("https://push.example.com/", "https://push.example.com"),
            ("HTTP://10.0.0.1:8080", "http://10.0.0.1:8080"),
            ("http://[::1]:80", "http://[::1]:80"),
            ("javascript://evil", nil), ("https://", nil), ("push.example.com", nil),
            ("https://a/b", nil), ("https://a@b", nil), ("https://a?b", nil), ("https://a#b", nil),
            ("https://a:b", nil), ("https://a:99999", nil), ("https://a\n", nil),
            ("https://[a", nil),
            ("https://-a", nil), ("https://a b", nil), ("https://a\"", nil),
        ] as [(String, String?)] {
            #expect(PublicAddress(text)?.description == address, "\(text)")
        }
    }

    @Test("a gzip file has the same lines")
    func gzip() async throws {
        try await APIClient.run { client in
            _ = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ada", "plan": "pro"]]]
            )
            let answer = try await ask(client, ["output_format": "gzip"])
            let path = try #require(answer.body["url"]?.stringValue.flatMap(URL.init)).path
            let file = try await client.bytes(path)
            #expect(file.prefix(3) == [0x1F, 0x8B, 8])
            let line = #"{"external_id":"ada"}"# + "\n"
            // The block of the line, the empty last block, the checksum and the size.
            #expect(file.count == 10 + 5 + line.utf8.count + 5 + 8)
            #expect(String(decoding: file, as: UTF8.self).contains(line))
            #expect(file.suffix(4) == [UInt8(line.utf8.count), 0, 0, 0])
        }
    }

    @Test("an unknown segment, other formats and addresses to call are refused by name")
    func faults() async throws {
        try await APIClient.run { client in
            let known = JSONValue.string(try await segment(in: client))
            let cases: [([String: JSONValue], String)] = [
                (["segment_id": .string(UUID().uuidString)], "segment_id"),
                (["segment_id": known, "output_format": "rar"], "output_format"),
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
