import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("The news as cards of a feed")
struct FeedTests {
    private func publish(
        _ title: String,
        _ client: APIClient,
        in workspace: WorkspaceID? = nil,
        isDraft: Bool = false
    ) async throws -> NewsItem {
        var content = NewsContent(title: title, text: "About \(title)")
        content.isDraft = isDraft
        content.tags = ["tea"]
        content.imageURL = "https://tea.example/a.png"
        content.attributes = ["shop": "Kyoto"]
        content.releaseFrom = APIClient.now.addingTimeInterval(-3600)
        return try await client.store.createNews(
            content,
            author: "Ada",
            in: workspace ?? client.workspace,
            now: APIClient.now.addingTimeInterval(-7200)
        )
    }

    @Test("the items are listed, the oldest first or the newest, and described")
    func list() async throws {
        try await APIClient.run { client in
            let other = try await client.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: APIClient.now
            )
            _ = try await publish("Foreign", client, in: other)
            let first = try await publish("First", client)
            let second = try await publish("Second", client, isDraft: true)
            func titles(_ query: String) async throws -> [String] {
                (try await client.get("/feed/list" + query).body["cards"]?.arrayValue ?? [])
                    .compactMap { $0["title"]?.stringValue }
            }
            #expect(try await titles("") == ["First", "Second"])
            #expect(
                try await titles("?sort_direction=desc&include_archived=true")
                    == ["Second", "First"]
            )
            #expect(try await titles("?page=1") == [])
            let cards = try await client.get("/feed/list").body["cards"]?.arrayValue
            #expect(
                cards?.first == [
                    "id": .string("\(first.id)"), "type": "NewsItem", "title": "First",
                    "tags": ["tea"],
                ]
            )
            let details = try await client.get("/feed/details?card_id=\(first.id)")
            #expect(details.body["name"] == "First")
            #expect(details.body["description"] == "About First")
            #expect(details.body["image_url"] == "https://tea.example/a.png")
            #expect(details.body["extras"] == ["shop": "Kyoto"])
            #expect(details.body["draft"] == false)
            #expect(details.body["archived"] == false)
            #expect(details.body["publish_at"]?.stringValue?.hasPrefix("2026-") == true)
            let draft = try await client.get("/feed/details?card_id=\(second.id)")
            #expect(draft.body["draft"] == true)
            #expect(draft.body["publish_at"] == .null)
        }
    }

    @Test("first reads are counted by day and by hour; what is not counted is null, not nought")
    func series() async throws {
        try await APIClient.run { client in
            let item = try await publish("First", client)
            let now = APIClient.now
            let reads: [(String, TimeInterval)] = [
                ("ada", 0), ("ada", 60), ("ben", -3600), ("eve", -86_400), ("bob", -9 * 86_400),
            ]
            let stored = try await client.post(
                "/users/track",
                [
                    "events": .array(
                        reads.map { user, age in
                            [
                                "external_id": .string(user), "name": "news_read",
                                "time": .string(Timestamp.format(now.addingTimeInterval(age))),
                                "properties": ["news_id": .string("\(item.id)")],
                            ]
                        }
                    )
                ]
            )
            #expect(stored.errors.isEmpty, "\(stored.body)")
            let days = try await client.get("/feed/data_series?card_id=\(item.id)&length=3")
            let rows = try #require(days.body["data"]?.arrayValue)
            #expect(rows.map { $0["unique_impressions"] } == [0, 1, 2])
            #expect(rows.allSatisfy { $0["clicks"] == .null && $0["impressions"] == .null })
            #expect(rows.last?["time"] == .string(String(Timestamp.format(now).prefix(10))))
            let hours = try await client.get(
                "/feed/data_series?card_id=\(item.id)&length=2&unit=hour"
            )
            #expect(hours.body["data"]?.arrayValue?.map { $0["unique_impressions"] } == [1, 1])
        }
    }

    @Test("a card that is not there and a length that is none are named")
    func problems() async throws {
        try await APIClient.run { client in
            let other = try await client.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: APIClient.now
            )
            let foreign = try await publish("Foreign", client, in: other)
            let item = try await publish("First", client)
            for (path, field) in [
                ("/feed/details", "card_id"), ("/feed/details?card_id=x", "card_id"),
                ("/feed/details?card_id=\(foreign.id)", "card_id"),
                ("/feed/data_series?card_id=99999999999999999999&length=1", "card_id"),
                ("/feed/data_series?card_id=\(item.id)&length=0", "length"),
                ("/feed/data_series?card_id=\(item.id)&length=101", "length"),
                ("/feed/data_series?card_id=\(item.id)&length=1&unit=week", "unit"),
                ("/feed/list?page=-1", "page"), ("/feed/list?page=9223372036854775807", "page"),
                ("/feed/list?include_archived=7", "include_archived"),
                ("/feed/list?sort_direction=up", "sort_direction"),
            ] {
                let answer = try await client.get(path)
                #expect(answer.status == .badRequest, "\(path)")
                #expect(answer.errors.first?["field"] == .string(field), "\(path)")
            }
        }
    }
}
