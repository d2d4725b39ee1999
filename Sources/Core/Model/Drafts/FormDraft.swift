import Foundation

/// The contents of a form that is not submitted or saved yet.
package struct FormDraft: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case push, campaign, segment, news, journey
        case inApp = "in_app"
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var kind: Kind
    /// The object being edited; empty for a new one. The object is unchanged until the draft is
    /// saved.
    package var subject: String
    /// The fields of the form, encoded as a query.
    package var fields: String
    /// The title in lists; empty if there is none yet.
    package var title: String
    package var author: String
    package var updatedAt: Date
    /// Increases with every change.
    package var revision: Int
    /// The window that wrote last.
    package var window: String
    /// The outcome, such as the number of a send, after which the draft no longer changes; `nil`
    /// until then.
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
