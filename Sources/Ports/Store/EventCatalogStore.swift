import Foundation
import Model

/// Which events and attributes there are, and which a workspace does not take.
package protocol EventCatalogStore: Sendable {
    /// The app's own events whose name has `text` in it, in the order of the alphabet.
    func eventSummaries(
        in workspace: WorkspaceID,
        matching text: String,
        limit: Int,
        offset: Int
    ) async throws -> (events: [EventSummary], total: Int)
    /// How often events came between each boundary and the next, by name.
    func eventCounts(
        of names: [String],
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [String: [Int]]
    /// Custom attributes with the types of their values, the most frequent first, from a sample of
    /// the most recently updated profiles.
    func attributeSummaries(
        in workspace: WorkspaceID,
        limit: Int
    ) async throws -> [AttributeSummary]

    func blockedNames(in workspace: WorkspaceID) async throws -> Set<BlockedName>
    /// Blocks a name, or takes it again. A blocked event or attribute is refused with its name
    /// while the rest of its request counts; what is stored already stays.
    func setBlocked(
        _ name: BlockedName,
        to isBlocked: Bool,
        in workspace: WorkspaceID,
        now: Date
    ) async throws
}

/// One kind of event.
package struct EventSummary: Sendable, Hashable {
    package var name: String
    /// `nil` for one that never came.
    package var lastAt: Date?
    package var isBlocked: Bool

    package init(name: String, lastAt: Date?, isBlocked: Bool) {
        self.name = name
        self.lastAt = lastAt
        self.isBlocked = isBlocked
    }
}

/// One custom attribute.
package struct AttributeSummary: Sendable, Hashable {
    package var name: String
    /// How many profiles of the sample have it.
    package var profiles: Int
    /// How many profiles were looked at.
    package var sample: Int
    /// How many values of the sample have each type: `text`, `number`, `boolean`, `list`, `object`.
    package var types: [String: Int]
    package var isBlocked: Bool

    package init(
        name: String,
        profiles: Int,
        sample: Int,
        types: [String: Int],
        isBlocked: Bool
    ) {
        self.name = name
        self.profiles = profiles
        self.sample = sample
        self.types = types
        self.isBlocked = isBlocked
    }
}
