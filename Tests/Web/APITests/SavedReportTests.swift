import Audience
import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Testing

@Suite("Saved reports over REST")
struct SavedReportTests {
    private static let sessions: JSONValue = ["length": 3, "series": ["event": "viewed"]]

    private static func body(_ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            ["name": "Views", "kind": "series", "question": sessions].merging(more) { $1 }
        )
    }

    private func fill(_ client: APIClient) async throws {
        let answer = try await client.post(
            "/users/track",
            [
                "events": [
                    ["external_id": "ada", "name": "viewed", "time": "2026-09-20T10:00:00Z"],
                    ["external_id": "ben", "name": "viewed", "time": "2026-09-21T10:00:00Z"],
                ]
            ]
        )
        #expect(answer.errors.isEmpty)
        try await client.audience.rebuild()
    }

    private func create(_ client: APIClient, _ body: JSONValue) async throws -> String {
        let answer = try await client.post("/reports/create", body)
        #expect(answer.status == .created, "\(answer.body)")
        return try #require(answer.body["id"]?.stringValue)
    }

    @Test("a saved report answers as the same question does, as JSON and as a table")
    func run() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let id = try await create(client, Self.body())
            let direct = try await client.post("/reports/series", Self.sessions)
            let answer = try await client.post("/reports/run", ["report_id": .string(id)])
            #expect(answer.status == .ok, "\(answer.body)")
            #expect(answer.body == direct.body)
            #expect(answer.body["whole"]?["total"] == 2)
            let table = try await client.page(
                "/reports/run",
                .post,
                headers: [.authorization: "Bearer \(client.secret)", .accept: "text/csv"],
                ByteBuffer(bytes: try JSONEncoder().encode(["report_id": id]))
            )
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8")
        }
    }

    @Test("reports are listed by name, changed in what is sent, and deleted")
    func changes() async throws {
        try await APIClient.run { client in
            try await client.audience.rebuild()
            let id = try await create(client, Self.body())
            _ = try await create(client, Self.body(["name": "Arrivals", "on_overview": true]))
            func names() async throws -> [String?] {
                let reports = try await client.get("/reports/list").body["reports"]?.arrayValue
                return (reports ?? []).map { $0["name"]?.stringValue }
            }
            #expect(try await names() == ["Arrivals", "Views"])
            let changed = try await client.post(
                "/reports/update",
                [
                    "report_id": .string(id), "name": "Zooms",
                    "weekly": ["url": "https://example.com/hook", "weekday": 1, "time": "08:00"],
                ]
            )
            #expect(changed.status == .ok, "\(changed.body)")
            #expect(changed.body["question"] == Self.sessions)
            // It is Monday, 21 September 2026, 23:13 in the workspace's Tokyo.
            #expect(changed.body["next_at"] == "2026-09-27T23:00:00.000Z")
            let details = try await client.get("/reports/details?report_id=\(id)").body
            #expect(details["webhook_secret"]?.stringValue?.count == 64)
            let ended = try await client.post(
                "/reports/update",
                ["report_id": .string(id), "weekly": .null]
            )
            #expect(ended.body["next_at"] == .null)
            let deleted = try await client.post("/reports/delete", ["report_id": .string(id)])
            #expect(deleted.status == .ok)
            #expect(try await names() == ["Arrivals"])
            let again = try await client.post("/reports/delete", ["report_id": .string(id)])
            #expect(again.status == .badRequest)
        }
    }

    @Test("what cannot be saved is named, and nothing is")
    func refusals() async throws {
        try await APIClient.run { client in
            try await client.audience.rebuild()
            _ = try await create(client, Self.body(["name": "Taken"]))
            for (field, more) in [
                ("name", ["name": "Taken"]), ("name", ["name": "  "]),
                ("name", ["name": .string(String(repeating: "a", count: 101))]),
                ("kind", ["kind": "pie"]),
                ("question.length", ["question": ["series": ["session": true]]]),
                ("question.series", ["question": ["length": 3]]),
                (
                    "weekly.url",
                    ["weekly": ["url": "ftp://a.example", "weekday": 1, "time": "08:00"]]
                ),
                (
                    "weekly.weekday",
                    ["weekly": ["url": "https://a.example", "weekday": 8, "time": "08:00"]]
                ),
                (
                    "weekly.time",
                    ["weekly": ["url": "https://a.example", "weekday": 1, "time": "8"]]
                ),
            ] as [(String, [String: JSONValue])] {
                let answer = try await client.post("/reports/create", Self.body(more))
                #expect(answer.status == .badRequest, "\(more)")
                #expect(answer.message.contains("'\(field)'"), "\(field): \(answer.message)")
            }
            let reports = try await client.get("/reports/list").body["reports"]?.arrayValue
            #expect(reports?.count == 1)
        }
    }
}
