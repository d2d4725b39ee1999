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
        noting audit: AuditRecord?,
        now: Date
    ) async throws
}

extension EventCatalogStore {
    package func setBlocked(
        _ name: BlockedName,
        to isBlocked: Bool,
        in workspace: WorkspaceID,
        now: Date
    ) async throws {
        try await setBlocked(name, to: isBlocked, in: workspace, noting: nil, now: now)
    }
}
