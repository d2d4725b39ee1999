import Foundation

/// What somebody has written into a form and not sent yet.
package struct FormDraft: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case push
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var kind: Kind
    /// The fields as the form had them, in the form of a query.
    package var fields: String
    /// What lists call it; empty where nothing says it yet.
    package var title: String
    package var author: String
    package var updatedAt: Date
    /// The send it has become; it is then no longer changed.
    package var send: SendID?

    package init(
        id: UUID,
        workspace: WorkspaceID,
        kind: Kind,
        fields: String,
        title: String,
        author: String,
        updatedAt: Date,
        send: SendID? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.kind = kind
        self.fields = fields
        self.title = title
        self.author = author
        self.updatedAt = updatedAt
        self.send = send
    }
}
