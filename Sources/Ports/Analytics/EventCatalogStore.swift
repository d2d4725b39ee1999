import Foundation
import Model

/// The known events and attributes, and those that a workspace blocks.
package protocol EventCatalogStore: Sendable {
    /// The app's own events whose names contain `text`, in alphabetical order.
    func eventSummaries(
        in workspace: WorkspaceID,
        matching text: String,
        limit: Int,
        offset: Int
    ) async throws -> (events: [EventSummary], total: Int)
    /// Number of events between each boundary and the next, by name.
    func eventCounts(
        of names: [String],
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [String: [Int]]
    /// What the newest occurrences of an event say; `nil` if it has never occurred.
    ///
    /// - Parameters:
    ///   - values: Number of values that are listed of each property.
    ///   - latest: Number of occurrences that are listed.
    func eventDetail(
        of name: String,
        in workspace: WorkspaceID,
        values: Int,
        latest: Int
    ) async throws -> EventDetail?
    /// Custom attributes with the types of their values, the most frequent first, from a sample of
    /// the most recently updated profiles.
    func attributeSummaries(
        in workspace: WorkspaceID,
        limit: Int
    ) async throws -> [AttributeSummary]

    func blockedNames(in workspace: WorkspaceID) async throws -> Set<BlockedName>
    /// Blocks or unblocks a name. A blocked event or attribute is rejected by name, while the rest
    /// of its request is accepted; stored data is kept.
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
