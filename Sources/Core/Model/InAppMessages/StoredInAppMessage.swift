import Foundation
import NoroshiWire

/// An in-app message as a workspace keeps it: what devices show, when, and to whom.
package struct StoredInAppMessage: Sendable, Equatable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Being written; no device gets it.
        case draft
        case active
        /// Held back: devices drop it at their next session. It can be made active again.
        case stopped
        /// Over for good, and out of the way in lists.
        case archived
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var state: State
    /// Who is eligible; everybody when it is empty.
    package var audience: SegmentQuery
    /// What devices show, with Liquid in its texts; the identifier in it is the lower-case `id`.
    package var message: InAppMessage
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: UUID,
        workspace: WorkspaceID,
        name: String,
        state: State,
        audience: SegmentQuery = SegmentQuery(),
        message: InAppMessage,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.state = state
        self.audience = audience
        self.message = message
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
