import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("GET /sdk/v1/news")
struct NewsTests {
    private func get(_ query: String, from client: APIClient) async throws -> APIClient.Answer {
        try await client.send(
            "/sdk/v1/news" + query,
            .get,
            [.authorization: "Bearer \(client.app.sdkKey)"],
            nil
        )
    }

    private func publish(_ title: String, in client: APIClient) async throws -> NewsItem {
        var content = NewsContent(title: title, text: "Text")
        content.isDraft = false
        content.category = "shop"
        content.releaseEnd = APIClient.now.addingTimeInterval(86_400)
        return try await client.store.createNews(
            content,
            author: "Ada",
            in: client.workspace,
            now: APIClient.now
        )
    }

    private func titles(_ answer: APIClient.Answer) -> [String] {
        (answer.body["news"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }

    @Test("the published items come with every field that clients read")
    func list() async throws {
        try await APIClient.run { client in
            let item = try await publish("Open", in: client)
            let answer = try await get("", from: client)
            #expect(answer.status == .ok)
            #expect(
                answer.body == [
                    "news": [
                        [
                            "news_id": .string("\(item.id)"),
                            "tenant_id": .string("\(client.workspace)"), "title": "Open",
                            "description": "Text", "category": "shop", "tags": [],
                            "release_from_date": "2026-09-21T14:13:20Z",
                            "release_end_date": "2026-09-22T14:13:20Z", "attributes": [:],
                        ]
                    ],
                    "total": 1,
                ]
            )
        }
    }

    @Test("conditions, order and page come from the query; a read marks the item for its user")
    func query() async throws {
        try await APIClient.run { client in
            let first = try await publish("First", in: client)
            _ = try await publish("Second", in: client)
            let pages = [
                ("?sort=title:0001", ["First", "Second"]),
                ("?sort=title:0002&limit=1", ["Second"]), ("?offset=1", ["First"]),
                ("?search%5Btitle%5D=First", ["First"]),
                ("?search%5Btitle%5D=fir%E2%88%80like_before", ["First"]),
                ("?search%5Btitle%5D=First%2CSecond%E2%88%80in", ["Second", "First"]),
                ("?search%5Bcategory%5D=x%E2%88%80not_equal", ["Second", "First"]),
                ("?news_id=\(first.id)", ["First"]), ("?news_id=nothing", []),
            ]
            for (query, titles) in pages {
                #expect(self.titles(try await get(query, from: client)) == titles, "\(query)")
            }
            let record = SDKRecord(
                id: UUID(),
                sequence: 1,
                timeMilliseconds: APIClient.now.milliseconds,
                user: .external("ada"),
                content: .event(
                    name: "news_read",
                    properties: ["news_id": .string("\(first.id)")]
                )
            )
            let batch = SDKBatch(
                device: SDKDevice(id: UUID(), platform: "ios"),
                records: [record]
            )
            _ = try await client.post(
                "/sdk/v1/batch",
                bytes: try JSONEncoder().encode(batch),
                key: client.app.sdkKey
            )
            let read = try await get("?user=ada&search%5Bread_history_kbn%5D=0001", from: client)
            #expect(titles(read) == ["First"])
            #expect(read.body["news"]?.arrayValue?.first?["is_read"] == .bool(true))
        }
    }

    @Test(
        "what cannot be understood is named",
        arguments: [
            ("?limit=0", "limit"), ("?limit=x", "limit"), ("?offset=-1", "offset"),
            ("?sort=title:up", "sort"), ("?search%5Btitle%5D=a%E2%88%80near", "search[title]"),
        ]
    )
    func faults(query: String, field: String) async throws {
        try await APIClient.run { client in
            let answer = try await get(query, from: client)
            #expect(answer.status == .badRequest)
            #expect(answer.errors.first?["field"]?.stringValue == field)
        }
    }
}

@Suite("The audit log of the API")
struct AuditTests {
    @Test("what a key changes is written down with its name; data and refusals are not")
    func changes() async throws {
        try await APIClient.run { client in
            _ = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ada", "first_name": "Ada"]]]
            )
            _ = try await client.post("/users/delete", ["external_ids": ["ada"]])
            _ = try await client.post("/users/delete", ["external_ids": "ada"])
            let log = try await client.store.audit(
                in: client.workspace,
                matching: AuditQuery(origin: .api)
            )
            #expect(log.records.map(\.action) == ["users.delete"])
            #expect(log.records.first?.author == "all")
            #expect(log.records.first?.origin == .api)
        }
    }
}
