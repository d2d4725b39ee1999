import Foundation
import Model
import Ports

/// Writing, publishing and reading news.
package struct NewsService: Sendable {
    /// Maximum number of published items that a list reads, the newest ones.
    package static let maxListLength = 10_000

    package typealias Source = NewsStore & ProfileStore

    private let store: any Source
    private let now: @Sendable () -> Date

    package init(store: any Source, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    // MARK: Writing

    /// - Throws: `ValidationError` with every field that breaks a rule; `NotAllowedError`; `DraftFinishedError`
    ///   when the form's draft was saved before.
    package func create(
        _ content: NewsContent,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws -> NewsItem {
        try check(content, actor)
        return try await store.createNews(
            content,
            author: actor.name,
            in: actor.workspace,
            from: origin,
            noting: record(content, nil, actor),
            now: now()
        )
    }

    /// Replaces the content of an item.
    ///
    /// - Returns: `nil` if the item does not exist.
    /// - Throws: As ``create(_:by:from:)``, and `StoreError` with code `changed` if another member
    ///   has saved the item since the editing began.
    package func update(
        _ id: NewsID,
        to content: NewsContent,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws -> NewsItem? {
        try check(content, actor)
        let isThere = try await store.updateNews(
            id,
            content: content,
            in: actor.workspace,
            from: origin,
            noting: record(content, id, actor),
            now: now()
        )
        return isThere ? try await store.news(id, in: actor.workspace) : nil
    }

    /// Deletes an item with its reads.
    ///
    /// - Returns: `false` if it did not exist.
    /// - Throws: `NotAllowedError`.
    package func delete(_ item: NewsItem, by actor: Actor) async throws -> Bool {
        try actor.require(.marketer)
        return try await store.deleteNews(
            item.id,
            in: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "news_deleted",
                subject: "#\(item.id.rawValue)",
                detail: item.content.title
            )
        )
    }

    private func check(_ content: NewsContent, _ actor: Actor) throws {
        try actor.require(.marketer)
        let problems = NewsCheck.problems(of: content)
        guard problems.isEmpty else { throw ValidationError(problems) }
    }

    private func record(_ content: NewsContent, _ id: NewsID?, _ actor: Actor) -> AuditRecord {
        let action =
            switch content.state(at: now()) {
            case .draft: "news_saved"
            case .scheduled: "news_scheduled"
            case .published, .ended: "news_published"
            }
        return AuditRecord(
            at: now(),
            by: actor,
            action: action,
            subject: id.map { "#\($0.rawValue)" } ?? "",
            detail: content.title
        )
    }

    // MARK: Reading

    /// The items of a page, in any state.
    package func items(
        in workspace: WorkspaceID,
        _ order: NewsQuery.Order,
        limit: Int,
        offset: Int
    ) async throws -> [NewsItem] {
        let query = NewsQuery(now: now(), order: order, limit: limit, offset: offset)
        return try await store.news(in: workspace, matching: query).items
    }

    /// The items of a list, newest first, with the total number on all pages.
    ///
    /// - Parameter text: A text in the title or the body.
    package func items(
        in workspace: WorkspaceID,
        matching text: String,
        state: NewsState?,
        limit: Int,
        offset: Int
    ) async throws -> (items: [NewsItem], total: Int) {
        try await store.news(
            in: workspace,
            matching: NewsQuery(text: text, state: state, now: now(), limit: limit, offset: offset)
        )
    }

    package func item(_ id: NewsID, in workspace: WorkspaceID) async throws -> NewsItem? {
        try await store.news(id, in: workspace)
    }

    /// Number of users who have read each item.
    package func reads(of items: [NewsItem]) async throws -> [NewsID: Int] {
        try await store.newsReads(of: items.map(\.id))
    }

    /// Number of users who read an item for the first time, between each of the times and the next.
    package func reads(of item: NewsItem, between times: [Date]) async throws -> [Int] {
        try await store.newsReads(of: item.id, between: times)
    }

    /// The published items that an app may show.
    package func published(
        _ request: NewsRequest,
        in workspace: WorkspaceID
    ) async throws -> PublishedNews {
        let moment = now()
        var items: [NewsItem]
        if let id = request.id {
            let item = try await store.news(id, in: workspace)
            items = [item].compactMap(\.self).filter { $0.content.state(at: moment) == .published }
        } else {
            items = try await store.news(
                in: workspace,
                matching: NewsQuery(state: .published, now: moment, limit: Self.maxListLength)
            ).items
        }
        var read: [NewsID: Date]?
        if let user = request.user {
            let profile = try await store.profile(user, in: workspace)
            let ids = items.map(\.id)
            read = if let profile { try await store.newsRead(by: profile.id, of: ids) } else { [:] }
        }
        var rows = items.map { item in
            PublishedNews.Row(
                item: item,
                isRead: read.map { $0[item.id] != nil },
                readAt: read?[item.id]
            )
        }
        rows.removeAll { row in
            !request.conditions.allSatisfy { $0.holds(of: row) }
        }
        NewsOrder.sort(&rows, by: request.orders)
        let page = rows.dropFirst(request.offset).prefix(request.limit ?? .max)
        return PublishedNews(rows: Array(page), total: rows.count)
    }
}

/// A request for published news: filter and order.
package struct NewsRequest: Sendable, Hashable {
    package var id: NewsID?
    /// The user whose read state is returned and used in conditions.
    package var user: UserReference?
    package var conditions: [NewsCondition]
    package var orders: [NewsOrder]
    /// `nil` means all of them.
    package var limit: Int?
    package var offset: Int

    package init(
        id: NewsID? = nil,
        user: UserReference? = nil,
        conditions: [NewsCondition] = [],
        orders: [NewsOrder] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.id = id
        self.user = user
        self.conditions = conditions
        self.orders = orders
        self.limit = limit
        self.offset = offset
    }
}

/// A page of published news.
package struct PublishedNews: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
        package var item: NewsItem
        /// `nil` if the request names no user.
        package var isRead: Bool?
        package var readAt: Date?

        package init(item: NewsItem, isRead: Bool?, readAt: Date?) {
            self.item = item
            self.isRead = isRead
            self.readAt = readAt
        }
    }

    package var rows: [Row]
    /// The total number on all pages.
    package var total: Int

    package init(rows: [Row], total: Int) {
        self.rows = rows
        self.total = total
    }
}
