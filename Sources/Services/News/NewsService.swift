import Foundation
import Model
import Ports

/// Writing, publishing and reading news.
package struct NewsService: Sendable {
    /// A list looks at so many published items, the newest ones.
    package static let longestList = 10_000

    package typealias Source = NewsStore & ProfileStore

    private let store: any Source
    private let now: @Sendable () -> Date

    package init(store: any Source, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    // MARK: Writing

    /// Saves a new item, or another content of the one with `id`.
    ///
    /// - Returns: `nil` when there is no item with this id.
    /// - Throws: ``NewsProblems`` with every field that breaks a rule; `DraftFinished` when the
    ///   form's draft was saved before; `StoreError` with code `changed` when somebody else has
    ///   saved the item since the editing began.
    package func save(
        _ content: NewsContent,
        id: NewsID?,
        author: String,
        in workspace: WorkspaceID,
        from origin: EditOrigin = .direct
    ) async throws -> NewsItem? {
        let problems = NewsProblem.all(of: content)
        guard problems.isEmpty else { throw NewsProblems(problems: problems) }
        guard let id else {
            return try await store.createNews(
                content,
                author: author,
                in: workspace,
                from: origin,
                now: now()
            )
        }
        let isThere = try await store.updateNews(
            id,
            content: content,
            in: workspace,
            from: origin,
            now: now()
        )
        return isThere ? try await store.news(id, in: workspace) : nil
    }

    // MARK: Reading

    /// The items of a page, whatever their state.
    package func items(
        in workspace: WorkspaceID,
        _ order: NewsQuery.Order,
        limit: Int,
        offset: Int
    ) async throws -> [NewsItem] {
        let query = NewsQuery(now: now(), order: order, limit: limit, offset: offset)
        return try await store.news(in: workspace, matching: query).items
    }

    package func item(_ id: NewsID, in workspace: WorkspaceID) async throws -> NewsItem? {
        try await store.news(id, in: workspace)
    }

    /// How many users have read an item for the first time between each two of the times.
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
                matching: NewsQuery(state: .published, now: moment, limit: Self.longestList)
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

/// Which published news a list shows, and in which order.
package struct NewsRequest: Sendable, Hashable {
    package var id: NewsID?
    /// Whose read state is told and searched.
    package var user: UserReference?
    package var conditions: [NewsCondition]
    package var orders: [NewsOrder]
    /// All of them when `nil`.
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
        /// `nil` when nobody was named.
        package var isRead: Bool?
        package var readAt: Date?

        package init(item: NewsItem, isRead: Bool?, readAt: Date?) {
            self.item = item
            self.isRead = isRead
            self.readAt = readAt
        }
    }

    package var rows: [Row]
    /// How many there are on all pages.
    package var total: Int

    package init(rows: [Row], total: Int) {
        self.rows = rows
        self.total = total
    }
}
