import Foundation
import Model

/// Passwords of members, and links that let somebody choose a new one.
package protocol PasswordStore: Sendable {
    /// What is stored of a member's password; `nil` for one who may not sign in.
    func passwordHash(of member: MemberID) async throws -> String?
    /// Gives a member another password, unless it is not `former` any more. Other sessions than the
    /// one named end, and links for a new password lose their use.
    ///
    /// - Returns: Whether the password was still `former`.
    func changePassword(
        of member: MemberID,
        from former: String,
        to hash: String,
        keeping session: Data,
        audit: AuditRecord
    ) async throws -> Bool
    /// Keeps a link with which a member may choose a password; an older one loses its use.
    ///
    /// - Returns: The member; `nil` where the workspace has none who may sign in by this id.
    func savePasswordLink(
        _ tokenHash: Data,
        member: MemberID,
        in workspace: WorkspaceID,
        expiresAt: Date,
        audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member?
    /// Whose link this is, while it can be used.
    func member(passwordLink tokenHash: Data, now: Date) async throws -> Member?
    /// Sets the password of a link's member, once. All sessions of the member end.
    ///
    /// - Returns: The member; `nil` when the link cannot be used (any more).
    func usePasswordLink(
        _ tokenHash: Data,
        passwordHash: String,
        now: Date,
        audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member?
}
