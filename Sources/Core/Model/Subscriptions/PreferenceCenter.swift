import Foundation

/// A page on which users choose which messages they receive.
package struct PreferenceCenter: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// Not shown to users.
        case draft
    }

    package var id: UUID
    package var workspace: WorkspaceID
    /// The name, which never changes.
    package var name: String
    package var title: String
    /// A template in HTML.
    package var page: String
    /// The template shown after a user has chosen.
    package var confirmation: String
    /// The content of the page's `viewport`.
    package var viewport: String?
    package var state: State
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: UUID,
        workspace: WorkspaceID,
        name: String,
        title: String,
        page: String,
        confirmation: String,
        viewport: String? = nil,
        state: State = .active,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.title = title
        self.page = page
        self.confirmation = confirmation
        self.viewport = viewport
        self.state = state
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
