import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func read(_ news: JSONValue, by user: String, at time: Date? = nil) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: .external(user),
            time: time ?? now,
            content: .event(name: "news_read", properties: ["news_id": news])
        )
    }

    private func publish(_ title: String, in workspace: WorkspaceID) async throws -> NewsItem {
        var content = NewsContent(title: title, text: "Text of \(title)")
        content.isDraft = false
        return try await store.createNews(content, author: "Ada", in: workspace, now: now)
    }

    package func keepsNewsAsWritten() async throws {
        let fixture = try await fixture()
        var content = NewsContent(title: "We are open", text: "From Monday on")
        content.tenant = "shop"
        content.category = "info"
        content.tags = ["tea", "tokyo"]
        content.url = "https://example.com"
        content.imageURL = "https://example.com/a.png"
        content.attributes = ["pinned": .bool(true)]
        content.releaseFrom = now.addingTimeInterval(60)
        content.releaseEnd = now.addingTimeInterval(3600)
        let made = try await store.createNews(
            content,
            author: "Ada",
            in: fixture.workspace,
            now: now
        )
        #expect(made.content == content)
        #expect(try await store.news(made.id, in: fixture.workspace) == made)
        content.isDraft = false
        content.title = "We are open again"
        let later = now.addingTimeInterval(5)
        #expect(
            try await store.updateNews(made.id, content: content, in: fixture.workspace, now: later)
        )
        let changed = try #require(try await store.news(made.id, in: fixture.workspace))
        #expect(changed.content == content)
        #expect(changed.createdAt == now)
        #expect(changed.updatedAt == later)

        let other = try await self.fixture().workspace
        #expect(try await store.news(made.id, in: other) == nil)
        #expect(try await !store.updateNews(made.id, content: content, in: other, now: later))
        #expect(try await !store.deleteNews(made.id, in: other, noting: nil))
        #expect(try await store.deleteNews(made.id, in: fixture.workspace, noting: nil))
        #expect(try await store.news(made.id, in: fixture.workspace) == nil)
        let next = try await publish("Next", in: fixture.workspace)
        #expect(next.id > made.id)
    }

    package func listsNewsByItsState() async throws {
        let workspace = try await fixture().workspace
        let minute: TimeInterval = 60
        let times: [(NewsState, Bool, Date?, Date?)] = [
            (.draft, true, nil, nil), (.draft, true, now, now.addingTimeInterval(minute)),
            (.published, false, nil, nil), (.published, false, now, nil),
            (.published, false, nil, now.addingTimeInterval(minute)),
            (.scheduled, false, now.addingTimeInterval(minute), nil),
            (.ended, false, nil, now),
            (.ended, false, now.addingTimeInterval(minute), now.addingTimeInterval(-minute)),
        ]
        for (index, (state, isDraft, from, end)) in times.enumerated() {
            var content = NewsContent(title: "Item \(index)", text: index == 2 ? "PINEAPPLE" : "")
            content.isDraft = isDraft
            content.releaseFrom = from
            content.releaseEnd = end
            #expect(content.state(at: now) == state)
            _ = try await store.createNews(content, author: "", in: workspace, now: now)
        }
        for state in NewsState.allCases {
            let found = try await store.news(
                in: workspace,
                matching: NewsQuery(state: state, now: now)
            )
            #expect(found.total == times.count { $0.0 == state })
            #expect(found.items.allSatisfy { $0.content.state(at: now) == state })
        }
        let page = try await store.news(
            in: workspace,
            matching: NewsQuery(now: now, limit: 3, offset: 1)
        )
        #expect(page.total == times.count)
        #expect(page.items.map(\.content.title) == ["Item 6", "Item 5", "Item 4"])
        let oldest = try await store.news(
            in: workspace,
            matching: NewsQuery(now: now, order: .oldestFirst, limit: 2, offset: 1)
        )
        #expect(oldest.items.map(\.content.title) == ["Item 1", "Item 2"])
        let found = try await store.news(
            in: workspace,
            matching: NewsQuery(text: "pineApple", now: now)
        )
        #expect(found.items.map(\.content.title) == ["Item 2"])
    }

    package func countsEveryReaderOnce() async throws {
        let fixture = try await fixture()
        let workspace = fixture.workspace
        let first = try await publish("First", in: workspace)
        let second = try await publish("Second", in: workspace)
        let foreign = try await publish("Foreign", in: try await self.fixture().workspace)
        let outcomes = try await ingest(
            [
                read(.string("\(first.id)"), by: "ada", at: now.addingTimeInterval(9)),
                read(.string("\(first.id)"), by: "ada"),
                read(.integer(first.id.rawValue), by: "ben"),
                read(.string("\(second.id)"), by: "ben"),
                read(.string("\(foreign.id)"), by: "ben"),
                read(.string("none"), by: "ben"),
            ],
            in: workspace
        )
        // Also a read of nothing is an event.
        #expect(outcomes == Array(repeating: .stored(except: []), count: 6))
        let all = [first.id, second.id, foreign.id]
        #expect(try await store.newsReads(of: all) == [first.id: 2, second.id: 1])
        let ada = try #require(try await store.profile(.external("ada"), in: workspace))
        let ben = try #require(try await store.profile(.external("ben"), in: workspace))
        #expect(try await store.newsRead(by: ada.id, of: all) == [first.id: now])
        // From the first time on, up to the second one.
        func counts(_ offsets: TimeInterval...) async throws -> [Int] {
            try await store.newsReads(
                of: first.id,
                between: offsets.map { now.addingTimeInterval($0) }
            )
        }
        #expect(try await counts(-2, -1, 0, 1, 2) == [0, 0, 2, 0])
        #expect(try await counts(0, 1) == [2])
        #expect(try await counts(1, 2) == [0])
        #expect(try await counts(0) == [])

        let merged = try await store.apply(
            [.merge(.external("ben"), into: .external("ada"))],
            in: workspace,
            now: now
        )
        #expect(merged == [.done])
        #expect(try await store.newsReads(of: all) == [first.id: 1, second.id: 1])
        #expect(try await store.newsRead(by: ben.id, of: all).isEmpty)
        #expect(try await store.deleteUsers([ada.id], in: workspace, noting: nil, now: now) == 1)
        #expect(try await store.newsReads(of: all).isEmpty)
    }

    package func keepsTheAuditLog() async throws {
        let workspace = try await fixture().workspace
        let other = try await fixture().workspace
        func record(_ author: String, _ action: String, _ hour: Double) -> AuditRecord {
            AuditRecord(
                at: now.addingTimeInterval(hour * 3600),
                origin: author == "shop" ? .api : .console,
                author: author,
                action: action,
                subject: "#7",
                detail: "Tea"
            )
        }
        let records = [
            record("Ada", "push.sent", 0), record("shop", "messages.send", 1),
            record("Ben", "key.revoked", 2), record("Ada", "news.saved", 3),
        ]
        for record in records { try await store.addAudit(record, in: workspace) }
        try await store.addAudit(record("Eve", "push.sent", 1), in: other)
        func found(_ query: AuditQuery) async throws -> [String] {
            try await store.audit(in: workspace, matching: query).records.map(\.action)
        }
        let all = try await store.audit(in: workspace, matching: AuditQuery(limit: 3))
        #expect(all.records == Array(records.reversed().prefix(3)))
        #expect(all.total == 4)
        #expect(try await found(AuditQuery(offset: 3)) == ["push.sent"])
        #expect(try await found(AuditQuery(author: "Ada")) == ["news.saved", "push.sent"])
        #expect(try await found(AuditQuery(origin: .api)) == ["messages.send"])
        #expect(try await found(AuditQuery(text: "REVOKED")) == ["key.revoked"])
        #expect(try await found(AuditQuery(text: "tea", limit: 1)) == ["news.saved"])
        let middle = AuditQuery(
            from: now.addingTimeInterval(3600),
            until: now.addingTimeInterval(3 * 3600)
        )
        #expect(try await found(middle) == ["key.revoked", "messages.send"])
        #expect(try await store.auditAuthors(in: workspace) == ["Ada", "Ben", "shop"])
        #expect(try await store.auditAuthors(in: self.fixture().workspace) == [])
    }
}
