import Foundation
import NoroshiWire

/// An announcement (お知らせ) that apps list and show.
package struct NewsItem: Sendable, Hashable {
    package var id: NewsID
    /// The same on every server that the item was taken to.
    package var publicID: UUID
    package var workspace: WorkspaceID
    package var content: NewsContent
    /// The member or key that wrote it, by name.
    package var author: String
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: NewsID,
        publicID: UUID,
        workspace: WorkspaceID,
        content: NewsContent,
        author: String,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.publicID = publicID
        self.workspace = workspace
        self.content = content
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The publisher's id as it travels (`news_tenant_id`): the workspace where none is named.
    package var tenantID: String {
        content.tenant.isEmpty ? String(workspace.rawValue) : content.tenant
    }
}

/// What a news item says, and when apps may show it.
package struct NewsContent: Sendable, Hashable, Codable {
    package var title: String
    package var text: String
    /// The organisation that publishes it, where several publish to one app; empty for the
    /// workspace itself.
    package var tenant: String
    package var category: String
    package var tags: [String]
    /// A web address or a deep link; empty for none.
    package var url: String
    package var imageURL: String
    /// The app's own values.
    package var attributes: [String: JSONValue]
    /// A draft is never shown, whatever its times say.
    package var isDraft: Bool
    /// From when it is shown; `nil` shows it at once.
    package var releaseFrom: Date?
    /// Until when it is shown; `nil` shows it for ever.
    package var releaseEnd: Date?

    package init(title: String, text: String = "") {
        self.title = title
        self.text = text
        tenant = ""
        category = ""
        tags = []
        url = ""
        imageURL = ""
        attributes = [:]
        isDraft = true
        releaseFrom = nil
        releaseEnd = nil
    }

    /// Follows from the times alone, so that publishing at a time needs nobody to be awake.
    package func state(at now: Date) -> NewsState {
        if isDraft { return .draft }
        if let releaseEnd, releaseEnd <= now { return .ended }
        if let releaseFrom, releaseFrom > now { return .scheduled }
        return .published
    }
}

/// Where a news item stands.
package enum NewsState: String, Sendable, Hashable, CaseIterable {
    case draft, scheduled, published, ended
}
