import Console
import Foundation
import Model
import News
import NoroshiWire
import Ports

/// Answers the console's questions about news.
struct NewsAdapter: NewsPages {
    let store: any Store
    let news: NewsService
    let now: @Sendable () -> Date

    func news(_ query: NewsListQuery, for member: ConsoleMember) async throws -> NewsList {
        let found = try await store.news(
            in: WorkspaceID(member.workspaceID),
            matching: NewsQuery(
                text: query.text,
                state: query.state.flatMap { NewsState(rawValue: $0.rawValue) },
                now: now(),
                limit: query.page.size,
                offset: query.page.offset
            )
        )
        let reads = try await store.newsReads(of: found.items.map(\.id))
        return NewsList(
            rows: found.items.map { row($0, reads: reads[$0.id] ?? 0) },
            total: found.total
        )
    }

    func newsItem(id: Int64, for member: ConsoleMember) async throws -> NewsDetail? {
        guard
            let item = try await store.news(NewsID(id), in: WorkspaceID(member.workspaceID))
        else { return nil }
        let reads = try await store.newsReads(of: [item.id])
        return NewsDetail(
            row: row(item, reads: reads[item.id] ?? 0),
            draft: try NewsDraft(item.content)
        )
    }

    func saveNews(
        _ draft: NewsDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64 {
        do {
            let saved = try await news.save(
                try NewsContent(draft),
                id: id.map { NewsID($0) },
                author: member.name,
                in: WorkspaceID(member.workspaceID),
                from: origin
            )
            // Deleted by somebody else in the meantime: what was typed becomes a new item.
            guard let saved else {
                return try await saveNews(draft, id: nil, from: origin, for: member)
            }
            return saved.id.rawValue
        } catch let problems as NewsProblems {
            throw NewsRejected(faults: problems.problems.compactMap(NewsFault.init))
        }
    }

    func deleteNews(id: Int64, for member: ConsoleMember) async throws {
        _ = try await store.deleteNews(NewsID(id), in: WorkspaceID(member.workspaceID))
    }

    private func row(_ item: NewsItem, reads: Int) -> NewsRow {
        NewsRow(
            id: item.id.rawValue,
            title: item.content.title,
            category: item.content.category,
            tenantID: item.tenantID,
            phase: NewsPhase(item.content.state(at: now())),
            releaseFrom: item.content.releaseFrom,
            releaseEnd: item.content.releaseEnd,
            reads: reads,
            author: item.author,
            changedAt: item.updatedAt
        )
    }
}

extension NewsPhase {
    fileprivate init(_ state: NewsState) {
        switch state {
        case .draft: self = .draft
        case .scheduled: self = .scheduled
        case .published: self = .published
        case .ended: self = .ended
        }
    }
}

extension NewsDraft {
    fileprivate init(_ content: NewsContent) throws {
        self.init()
        title = content.title
        text = content.text
        tenant = content.tenant
        category = content.category
        tags = content.tags
        url = content.url
        imageURL = content.imageURL
        if !content.attributes.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            attributes = String(decoding: try encoder.encode(content.attributes), as: UTF8.self)
        }
        isDraft = content.isDraft
        releaseFrom = content.releaseFrom
        releaseEnd = content.releaseEnd
    }
}

extension NewsContent {
    /// The form has checked that `attributes` is an object.
    fileprivate init(_ draft: NewsDraft) throws {
        self.init(title: draft.title, text: draft.text)
        tenant = draft.tenant
        category = draft.category
        tags = draft.tags
        url = draft.url
        imageURL = draft.imageURL
        if !draft.attributes.isEmpty {
            attributes = try JSONDecoder().decode(
                [String: JSONValue].self,
                from: Data(draft.attributes.utf8)
            )
        }
        isDraft = draft.isDraft
        releaseFrom = draft.releaseFrom
        releaseEnd = draft.releaseEnd
    }
}

extension NewsFault {
    fileprivate init?(_ problem: NewsProblem) {
        guard let field = NewsField(rawValue: problem.field.rawValue),
            let kind = Kind(rawValue: problem.kind.rawValue)
        else { return nil }
        self.init(field, kind)
    }
}
