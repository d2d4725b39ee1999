import Foundation
import Model

/// Sign-ins to the console. Tokens are stored only as hashes.
package protocol ConsoleSessionStore: Sendable {
    /// Stores a session in a workspace and the time of its member's sign-in there, and deletes
    /// sessions that have expired.
    func saveConsoleSession(
        _ session: ConsoleSession,
        tokenHash: Data,
        member: MemberID,
        in workspace: WorkspaceID
    ) async throws
    /// An unexpired session, and what its member is in its workspace, if the member may open it.
    func consoleSession(
        tokenHash: Data,
        now: Date
    ) async throws -> (member: Member, session: ConsoleSession)?
    /// Records when and from where a session was last used.
    func recordConsoleSessionUse(
        tokenHash: Data,
        from address: String?,
        at time: Date
    ) async throws
    /// The unexpired sessions of a workspace's member, in whichever workspace, the most recently used first.
    func consoleSessions(
        of member: MemberID,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> [ConsoleSession]
    /// Ends sessions of a workspace's member.
    ///
    /// - Parameter audit: Makes the audit record from the member and the ended sessions; it is not
    ///   called if there were none.
    /// - Returns: The ended sessions.
    func endConsoleSessions(
        _ choice: ConsoleSessionChoice,
        of member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member, [ConsoleSession]) -> AuditRecord?
    ) async throws -> [ConsoleSession]
    func deleteConsoleSession(tokenHash: Data) async throws
}
