import Foundation
import NoroshiWire

/// An announcement (お知らせ) that apps list and show.
package struct NewsItem: Sendable, Hashable {
    package var id: NewsID
    /// The same on every server to which the item is copied.
    package var publicID: UUID
    package var workspace: WorkspaceID
    package var content: NewsContent
    /// The name of the member or API key that wrote it.
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

    /// The publisher's id on the wire (`news_tenant_id`); the workspace if no publisher is named.
    package var tenantID: String {
        content.tenant.isEmpty ? String(workspace.rawValue) : content.tenant
    }
}

/// The content of a news item, and when apps may show it.
package struct NewsContent: Sendable, Hashable, Codable {
    package var title: String
    package var text: String
    /// The organization that publishes it, if several publish to one app; empty for the workspace
    /// itself.
    package var tenant: String
    package var category: String
    package var tags: [String]
    /// A web address or a deep link; empty if there is none.
    package var url: String
    package var imageURL: String
    /// Custom values of the app.
    package var attributes: [String: JSONValue]
    /// Whether the item is a draft, which is never shown.
    package var isDraft: Bool
    /// The time from which it is shown; `nil` means at once.
    package var releaseFrom: Date?
    /// The time until which it is shown; `nil` means indefinitely.
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

    /// Depends on the times alone, so that publishing needs no job.
    package func state(at now: Date) -> NewsState {
        if isDraft { return .draft }
        if let releaseEnd, releaseEnd <= now { return .ended }
        if let releaseFrom, releaseFrom > now { return .scheduled }
        return .published
    }
}

/// The state of a news item.
package enum NewsState: String, Sendable, Hashable, CaseIterable {
    case draft, scheduled, published, ended
}
