import Foundation
import Model

/// Exports all data page by page, in ascending order of the rows' ids.
package protocol ExportStore: Sendable {
    /// Users whose id is greater than `id`, in ascending order.
    func exportUsers(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, user: ExportedUser)]

    /// Events whose id is greater than `id`, in ascending order. Events of deleted users are
    /// deleted with them.
    func exportEvents(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, event: ExportedEvent)]

    /// Sends whose id is greater than `id`, in ascending order, with the counts of their
    /// dispatches.
    func exportSends(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, send: ExportedSend)]
}
