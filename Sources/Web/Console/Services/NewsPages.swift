import Foundation
import Model

/// Writing and publishing news (お知らせ).
package protocol NewsPages: Sendable {
    func news(_ query: NewsListQuery, for member: ConsoleMember) async throws -> NewsList
    func newsItem(id: Int64, for member: ConsoleMember) async throws -> NewsDetail?
    /// Saves a new item, or the one with `id`, and returns its number.
    /// - Throws: ``NewsRejected``.
    func saveNews(
        _ draft: NewsDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64
    func deleteNews(id: Int64, for member: ConsoleMember) async throws
}

/// Which news a list shows.
package struct NewsListQuery: Sendable, Hashable {
    package var text = ""
    package var state: NewsPhase?
    package var page = ListPage(size: 25)

    package init() {}
}

/// Where a news item stands.
package enum NewsPhase: String, Sendable, Hashable, CaseIterable {
    case draft, scheduled, published, ended
}

package struct NewsList: Sendable, Hashable {
    package var rows: [NewsRow]
    package var total: Int

    package init(rows: [NewsRow], total: Int) {
        self.rows = rows
        self.total = total
    }
}

package struct NewsRow: Sendable, Hashable {
    package var id: Int64
    package var title: String
    package var category: String
    /// The publisher's id as it travels with a push.
    package var tenantID: String
    package var phase: NewsPhase
    package var releaseFrom: Date?
    package var releaseEnd: Date?
    /// How many users have read it.
    package var reads: Int
    package var author: String
    package var changedAt: Date

    package init(
        id: Int64,
        title: String,
        category: String,
        tenantID: String,
        phase: NewsPhase,
        releaseFrom: Date?,
        releaseEnd: Date?,
        reads: Int,
        author: String,
        changedAt: Date
    ) {
        self.id = id
        self.title = title
        self.category = category
        self.tenantID = tenantID
        self.phase = phase
        self.releaseFrom = releaseFrom
        self.releaseEnd = releaseEnd
        self.reads = reads
        self.author = author
        self.changedAt = changedAt
    }
}

package struct NewsDetail: Sendable, Hashable {
    package var row: NewsRow
    package var draft: NewsDraft

    package init(row: NewsRow, draft: NewsDraft) {
        self.row = row
        self.draft = draft
    }
}

/// What a news item says, and when apps show it.
package struct NewsDraft: Sendable, Hashable {
    package var title = ""
    package var text = ""
    /// The publishing organisation; empty for the workspace itself.
    package var tenant = ""
    package var category = ""
    package var tags: [String] = []
    package var url = ""
    package var imageURL = ""
    /// The app's own values as a JSON object; empty for none.
    package var attributes = ""
    package var isDraft = true
    package var releaseFrom: Date?
    package var releaseEnd: Date?

    package init() {}
}

/// The fields of the news form, by their names in it.
package enum NewsField: String, Sendable, Hashable, CaseIterable {
    case title, text, url, imageURL, tags, attributes, releaseFrom, releaseEnd
}

/// A field that has to be changed first.
package struct NewsFault: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case empty
        case tooLong = "too_long"
        case notAnAddress = "not_an_address"
        case notSecure = "not_secure"
        case tooMany = "too_many"
        case endsBeforeStart = "ends_before_start"
        case notAnObject = "not_an_object"
        case noDate = "no_date"

        package var wordKey: String { "news.fault." + rawValue }
    }

    package var field: NewsField
    package var kind: Kind

    package init(_ field: NewsField, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }
}

/// News that the services refuse.
package struct NewsRejected: Error, Sendable, Hashable {
    package var faults: [NewsFault]

    package init(faults: [NewsFault]) {
        self.faults = faults
    }
}
