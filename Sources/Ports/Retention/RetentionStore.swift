import Foundation
import Model

/// How far the removal of one kind of rows has come in a workspace.
package struct RetentionProgress: Sendable, Hashable {
    package var kind: RetainedKind
    /// Rows from this moment on are all there; earlier ones may be gone.
    package var keptSince: Date
    /// Number of rows removed so far, in all passes.
    package var removed: Int
    /// The beginning of the latest pass.
    package var startedAt: Date
    /// The end of the latest pass; `nil` while it is under way.
    package var finishedAt: Date?

    package init(
        kind: RetainedKind,
        keptSince: Date,
        removed: Int,
        startedAt: Date,
        finishedAt: Date?
    ) {
        self.kind = kind
        self.keptSince = keptSince
        self.removed = removed
        self.startedAt = startedAt
        self.finishedAt = finishedAt
    }
}

/// What one step of a removal did.
package struct RetentionStep: Sendable, Hashable {
    package var removed: Int
    /// Whether the pass is over.
    package var isLast: Bool

    package init(removed: Int, isLast: Bool) {
        self.removed = removed
        self.isLast = isLast
    }
}

/// The removal of old rows that no figure is counted from.
package protocol RetentionStore: Sendable {
    /// One for each kind that has had a pass in the workspace.
    func retentionProgress(in workspace: WorkspaceID) async throws -> [RetentionProgress]
    /// For whom old rows stay, by name; one for each kind of which some do.
    func retentionHolders(in workspace: WorkspaceID) async throws -> [RetentionHolder]
    /// Takes one step of a pass: looks at the next rows and removes those that are older. Without a
    /// pass under way one begins. How far it has come is stored in the same transaction, so that it
    /// goes on there after a crash. A pass that began with an earlier moment keeps to that one.
    ///
    /// - Parameter count: How many rows are looked at.
    func removeRows(
        _ kind: RetainedKind,
        in workspace: WorkspaceID,
        olderThan moment: Date,
        lookingAt count: Int,
        now: Date
    ) async throws -> RetentionStep
}
