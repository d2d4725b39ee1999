import Foundation
import Model
import News
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("News")
struct NewsServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct Bench {
        let store: SQLStore
        let news: NewsService
        let workspace: WorkspaceID

        func member(_ role: Member.Role) -> Actor {
            .member(
                Member(
                    id: MemberID(1),
                    workspace: workspace,
                    name: "Ada",
                    email: "ada@example.com",
                    role: role
                )
            )
        }

        func publish(_ title: String, _ change: (inout NewsContent) -> Void = { _ in }) async throws
            -> NewsID
        {
            var content = NewsContent(title: title)
            content.isDraft = false
            change(&content)
            return try await news.create(content, by: member(.marketer)).id
        }

        func titles(_ request: NewsRequest) async throws -> [String] {
            try await news.published(request, in: workspace).rows.map(\.item.content.title)
        }
    }

    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-news-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        let news = NewsService(store: store, now: { Self.now })
        try await body(Bench(store: store, news: news, workspace: fixture.workspace))
    }

    @Test("an app sees what is published now, the newest first, page by page")
    func published() async throws {
        try await withBench { bench in
            let minute: TimeInterval = 60
            _ = try await bench.publish("old") { $0.releaseFrom = Self.now.addingTimeInterval(-9) }
            _ = try await bench.publish("new")
            _ = try await bench.publish("draft") { $0.isDraft = true }
            _ = try await bench.publish("later") {
                $0.releaseFrom = Self.now.addingTimeInterval(minute)
            }
            _ = try await bench.publish("over") { $0.releaseEnd = Self.now }
            #expect(try await bench.titles(NewsRequest()) == ["new", "old"])
            #expect(try await bench.titles(NewsRequest(limit: 1, offset: 1)) == ["old"])
            let page = try await bench.news.published(NewsRequest(limit: 1), in: bench.workspace)
            #expect(page.total == 2)
        }
    }

    @Test("an item that is not published is not found by its id either")
    func single() async throws {
        try await withBench { bench in
            let shown = try await bench.publish("shown")
            let hidden = try await bench.publish("hidden") { $0.isDraft = true }
            #expect(try await bench.titles(NewsRequest(id: shown)) == ["shown"])
            #expect(try await bench.titles(NewsRequest(id: hidden)) == [])
        }
    }

    @Test("the read state is the user's own")
    func readState() async throws {
        try await withBench { bench in
            let first = try await bench.publish("first")
            _ = try await bench.publish("second")
            _ = try await bench.store.ingest(
                [
                    IngestRequest(
                        workspace: bench.workspace,
                        source: .api,
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external("ada"),
                                time: Self.now,
                                content: .event(
                                    name: "news_read",
                                    properties: ["news_id": .string("\(first)")]
                                )
                            )
                        ]
                    )
                ],
                now: Self.now
            )
            func read(_ user: UserReference?) async throws -> [Bool?] {
                try await bench.news.published(NewsRequest(user: user), in: bench.workspace)
                    .rows.map(\.isRead)
            }
            #expect(try await read(.external("ada")) == [false, true])
            #expect(try await read(.external("nobody")) == [false, false])
            #expect(try await read(nil) == [nil, nil])
            for (kind, titles) in [
                ("0001", ["first"]), ("0002", ["second"]), ("ALL", ["second", "first"]),
            ] {
                let condition = NewsCondition(NewsCondition.readState, .equal, [kind])
                let request = NewsRequest(user: .external("ada"), conditions: [condition])
                #expect(try await bench.titles(request) == titles)
            }
        }
    }

    @Test(
        "conditions compare texts, numbers, dates and lists",
        arguments: [
            (NewsCondition("category", .equal, ["shop"]), ["a", "b"]),
            (NewsCondition("category", .notEqual, ["shop"]), ["c"]),
            (NewsCondition("title", .isIn, ["a", "c"]), ["a", "c"]),
            (NewsCondition("title", .notIn, ["a", "c"]), ["b"]),
            (NewsCondition("tags", .equal, ["tea"]), ["a", "b"]),
            (NewsCondition("floor", .atMost, ["9"]), ["a"]),
            (NewsCondition("floor", .atLeast, ["9"]), ["b"]),
            (NewsCondition("floor", .between, ["2", "10"]), ["a", "b"]),
            (NewsCondition("floor", .inside, ["2", "11"]), ["b"]),
            (NewsCondition("release_from_date", .atLeast, ["2026-09-21T14:13:20Z"]), ["c"]),
            (NewsCondition("release_from_date", .atLeast, ["2026-09-21 23:13:20"]), ["c"]),
            (NewsCondition("description", .begins, ["tea"]), ["a"]),
            (NewsCondition("description", .ends, ["TEA"]), ["b"]),
            (NewsCondition("description", .contains, ["ea"]), ["a", "b"]),
            (NewsCondition("description", .containsAny, ["first", "none"]), ["a"]),
            (NewsCondition("nothing", .equal, ["x"]), []),
            (NewsCondition("tenant_id", .equal, ["other"]), ["c"]),
        ]
    )
    func conditions(condition: NewsCondition, titles: [String]) async throws {
        try await withBench { bench in
            // 1,790,000,000 is 2026-09-21 14:13:20 UTC, nine hours later in Japan.
            _ = try await bench.publish("a") {
                $0.category = "shop"
                $0.tags = ["tea"]
                $0.text = "Tea first"
                $0.attributes = ["floor": .integer(2)]
                $0.releaseFrom = Self.now.addingTimeInterval(-2)
            }
            _ = try await bench.publish("b") {
                $0.category = "shop"
                $0.tags = ["cake", "tea"]
                $0.text = "Cake and tea"
                $0.attributes = ["floor": .integer(10)]
                $0.releaseFrom = Self.now.addingTimeInterval(-1)
            }
            _ = try await bench.publish("c") {
                $0.tenant = "other"
                $0.releaseFrom = Self.now
            }
            let found = try await bench.titles(NewsRequest(conditions: [condition]))
            #expect(found.sorted() == titles)
        }
    }

    @Test("an order by columns puts what is missing last in both directions")
    func orders() async throws {
        try await withBench { bench in
            for (title, floor) in [("a", 10), ("b", 9), ("c", nil)] as [(String, Int64?)] {
                _ = try await bench.publish(title) { content in
                    content.attributes = floor.map { ["floor": .integer($0)] } ?? [:]
                }
            }
            func sorted(_ isAscending: Bool) async throws -> [String] {
                let order = NewsOrder(column: "floor", isAscending: isAscending)
                return try await bench.titles(NewsRequest(orders: [order]))
            }
            #expect(try await sorted(true) == ["b", "a", "c"])
            #expect(try await sorted(false) == ["a", "b", "c"])
        }
    }

    @Test("every field that breaks a rule is named")
    func problems() async throws {
        try await withBench { bench in
            var content = NewsContent(title: "  ")
            content.url = "not an address"
            content.imageURL = "http://example.com/a.png"
            content.releaseFrom = Self.now
            content.releaseEnd = Self.now
            let error = await #expect(throws: ValidationError.self) {
                _ = try await bench.news.create(content, by: bench.member(.marketer))
            }
            #expect(
                error?.problems == [
                    FieldProblem(.news(.title), .empty),
                    FieldProblem(.news(.url), .openableAddress),
                    FieldProblem(.news(.imageURL), .secureAddress),
                    FieldProblem(.news(.releaseEnd), .newsEnd),
                ]
            )
            let missing = try await bench.news.update(
                NewsID(99),
                to: NewsContent(title: "x"),
                by: bench.member(.marketer)
            )
            #expect(missing == nil)
        }
    }

    @Test("each change is in the log once, under what it made of the item")
    func log() async throws {
        try await withBench { bench in
            let ada = bench.member(.marketer)
            var content = NewsContent(title: "Opening")
            let item = try await bench.news.create(content, by: ada)
            content.isDraft = false
            content.releaseFrom = Self.now.addingTimeInterval(60)
            #expect(try await bench.news.update(item.id, to: content, by: ada) != nil)
            content.releaseFrom = Self.now
            #expect(try await bench.news.update(item.id, to: content, by: ada) != nil)
            for refused in [NewsContent(title: ""), content] {
                await #expect(throws: (any Error).self) {
                    try await bench.news.create(
                        refused,
                        by: bench.member(refused.title.isEmpty ? .marketer : .viewer)
                    )
                }
            }
            await #expect(throws: NotAllowedError.self) {
                try await bench.news.delete(item, by: bench.member(.viewer))
            }
            #expect(try await bench.news.delete(item, by: ada))
            #expect(try await !bench.news.delete(item, by: ada))
            let log = try await bench.store.audit(in: bench.workspace, matching: AuditQuery())
            #expect(
                log.records.reversed().map { "\($0.author) \($0.action) \($0.subject)" } == [
                    "Ada news_saved #1", "Ada news_scheduled #1", "Ada news_published #1",
                    "Ada news_deleted #1",
                ]
            )
        }
    }
}
