import Foundation
import Reasons

/// An address that gets a workspace's facts, signed, in the order of their numbers.
package struct FactWebhook: Sendable, Hashable {
    /// The most of a workspace.
    package static let limit = 20
    package static let nameLimit = 100

    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// A member has paused it.
        case paused
        /// The server has given it up after a day of failures.
        case dead
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var address: String
    /// Those that are wanted.
    package var kinds: Set<Fact.Kind>
    package var state: State
    /// All facts up to this number have arrived.
    package var position: Int64
    package var createdAt: Date
    /// How often the next facts were refused or did not arrive.
    package var failures = 0
    /// Since when nothing arrives; `nil` if the last attempt succeeded.
    package var failingSince: Date?
    /// The next attempt.
    package var dueAt: Date
    /// Why the last attempt failed.
    package var problem: Reason?
    /// When facts arrived last.
    package var deliveredAt: Date?

    package init(
        id: UUID,
        workspace: WorkspaceID,
        name: String,
        address: String,
        kinds: Set<Fact.Kind>,
        state: State = .active,
        position: Int64,
        createdAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.address = address
        self.kinds = kinds
        self.state = state
        self.position = position
        self.createdAt = createdAt
        dueAt = createdAt
    }
}
