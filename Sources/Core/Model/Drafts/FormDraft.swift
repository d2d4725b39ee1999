import Foundation

/// What somebody has written into a form and not sent or saved yet.
package struct FormDraft: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case push, campaign, segment, news
        case inApp = "in_app"
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var kind: Kind
    /// What is edited; empty for something new. Until it is saved it stays as it is.
    package var subject: String
    /// The fields as the form had them, in the form of a query.
    package var fields: String
    /// What lists call it; empty where nothing says it yet.
    package var title: String
    package var author: String
    package var updatedAt: Date
    /// Grows with every change.
    package var revision: Int
    /// The window that has written last.
    package var window: String
    /// What it has become, such as the number of a send; it is then no longer changed.
    package var outcome: String?

    package init(
        id: UUID,
        workspace: WorkspaceID,
        kind: Kind,
        subject: String = "",
        fields: String,
        title: String,
        author: String,
        updatedAt: Date,
        revision: Int = 1,
        window: String = "",
        outcome: String? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.kind = kind
        self.subject = subject
        self.fields = fields
        self.title = title
        self.author = author
        self.updatedAt = updatedAt
        self.revision = revision
        self.window = window
        self.outcome = outcome
    }
}
