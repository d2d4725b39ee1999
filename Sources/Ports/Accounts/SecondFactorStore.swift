import Foundation
import Model

/// Second factors of members, and sign-ins that wait for one.
package protocol SecondFactorStore: Sendable {
    /// Stores an encrypted secret that its member has yet to confirm, and replaces such a one.
    ///
    /// - Returns: `false` if the member has a confirmed one; nothing is changed then.
    func saveSecondFactor(_ box: Data, of member: MemberID) async throws -> Bool
    func secondFactor(of member: MemberID) async throws -> SecondFactor?
    /// Makes a stored secret the member's second factor, with recovery codes by their hashes.
    ///
    /// - Returns: `false` if the stored secret is not `box`, or confirmed already.
    func confirmSecondFactor(
        _ box: Data,
        of member: MemberID,
        step: Int64,
        recoveryCodes: [Data],
        noting audit: AuditRecord
    ) async throws -> Bool
    /// Marks the code of a period as used.
    ///
    /// - Returns: `false` if the code of this period or of a later one was used before.
    func useSecondFactorStep(_ step: Int64, of member: MemberID) async throws -> Bool
    /// Uses up a recovery code.
    ///
    /// - Parameter audit: Makes the audit record from the number of codes that are left.
    /// - Returns: `false` if there is no such code.
    func useRecoveryCode(
        _ hash: Data,
        of member: MemberID,
        noting audit: @escaping @Sendable (Int) -> AuditRecord
    ) async throws -> Bool
    /// - Returns: `false` if the member has no confirmed second factor.
    func replaceRecoveryCodes(
        _ hashes: [Data],
        of member: MemberID,
        noting audit: AuditRecord
    ) async throws -> Bool
    /// - Returns: The member; `nil` if the workspace has no such member with a second factor.
    func removeSecondFactor(
        of member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member?

    /// Stores that a member's password was right, or a provider has named the member, and the code
    /// is outstanding, for a session in this workspace.
    func saveSignInStep(
        _ tokenHash: Data,
        of member: MemberID,
        in workspace: WorkspaceID,
        isByProvider: Bool,
        now: Date,
        expiresAt: Date
    ) async throws
    /// The member whose code is outstanding, if the member may sign in.
    func member(
        signInStep tokenHash: Data,
        now: Date
    ) async throws -> (member: Member, isByProvider: Bool)?
    /// - Returns: `false` if it was used before.
    func deleteSignInStep(_ tokenHash: Data) async throws -> Bool
}
