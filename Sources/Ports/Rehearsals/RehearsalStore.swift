import Foundation
import Model

/// Rehearsals that were asked for, of which all servers of a database tell. They are gone with the deletion of
/// any user of their workspace, whose messages may be in them.
package protocol RehearsalStore: Sendable {
    /// Adds one in place of the former one about the same, and removes the oldest.
    ///
    /// - Parameter kept: How many stay, of all workspaces.
    /// - Returns: `false` if another server that works plays one about the same; nothing is changed then.
    func addRehearsal(_ rehearsal: RehearsalRecord, keeping kept: Int) async throws -> Bool
    func rehearsal(about subject: UUID, in workspace: WorkspaceID) async throws -> RehearsalRecord?
    /// Notes how far one is.
    ///
    /// - Returns: Whether it goes on: nobody has stopped or removed it.
    func noteRehearsal(_ id: UUID, reached: Date?) async throws -> Bool
    /// Keeps what one has shown, unless it was removed.
    func finishRehearsal(_ id: UUID, content: String) async throws
    /// Asks whoever plays it to stop.
    func stopRehearsal(about subject: UUID, in workspace: WorkspaceID) async throws
}
