import Foundation
import Model

/// Passwords of members, and one-time links for choosing a new one.
package protocol PasswordStore: Sendable {
    /// The stored hash of a member's password; `nil` if the member may not sign in.
    func passwordHash(of member: MemberID) async throws -> String?
    /// Changes a member's password, if it is still `former`. The member's other sessions end, and
    /// links for a new password become invalid.
    ///
    /// - Returns: `false` if the password is no longer `former`; nothing is changed then.
    func changePassword(
        of member: MemberID,
        from former: String,
        to hash: String,
        keeping session: Data,
        audit: AuditRecord
    ) async throws -> Bool
    /// Stores a link with which a member may choose a password, and invalidates an older one.
    ///
    /// - Returns: The member; `nil` if the workspace has no member with this id who may sign in.
    func savePasswordLink(
        _ tokenHash: Data,
        member: MemberID,
        in workspace: WorkspaceID,
        expiresAt: Date,
        audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member?
    /// The member of a link; `nil` if the link is invalid or has expired.
    func member(passwordLink tokenHash: Data, now: Date) async throws -> Member?
    /// Redeems a link: sets its member's password and ends all of the member's sessions.
    ///
    /// - Returns: The member; `nil` if the link is invalid, used or expired.
    func usePasswordLink(
        _ tokenHash: Data,
        passwordHash: String,
        now: Date,
        audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member?
}
