import Foundation
import Model

/// Reads everything out, part by part in the order of the rows' numbers.
package protocol ExportStore: Sendable {
    /// Users behind `id`.
    func exportUsers(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, user: ExportedUser)]

    /// Events behind `id`; those of deleted users are gone with them.
    func exportEvents(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, event: ExportedEvent)]

    /// Sends behind `id` with the numbers of their pushes.
    func exportSends(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, send: ExportedSend)]
}
