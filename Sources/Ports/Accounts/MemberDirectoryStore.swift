import Foundation
import Model

/// The members of a workspace. Each change by a member is one transaction with its audit record.
package protocol MemberDirectoryStore: Sendable {
    /// Adds a member. Whoever has an account on this server already becomes a member with that
    /// account, whose password stays; links for choosing another one become invalid.
    ///
    /// - Throws: `StoreError` with code `exists` if the workspace has a member with the address.
    func addMember(
        _ draft: MemberDraft,
        _ details: MemberDetails,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> MemberEntry
    func memberEntry(_ id: MemberID, in workspace: WorkspaceID) async throws -> MemberEntry?
    /// In order of creation.
    func memberEntries(
        in workspace: WorkspaceID,
        matching filter: MemberFilter?,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [MemberEntry], total: Int)
    /// Changes what a member is in the workspace. The member's sessions in it end if the member
    /// becomes inactive, all sessions if the member gets another password.
    ///
    /// - Parameters:
    ///   - change: Makes the new values from the member as it is in the transaction, so that nothing
    ///     is lost that somebody else has changed meanwhile. What it throws undoes everything.
    ///   - audit: Makes the audit record from the changed member.
    func changeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        to change: @escaping @Sendable (MemberEntry) throws -> MemberChange,
        noting audit: @escaping @Sendable (MemberEntry) -> AuditRecord?,
        now: Date
    ) async throws -> MemberChangeOutcome
    /// Removes a member from the workspace and ends their sessions in it; the account goes with the
    /// last workspace. The address stays known as that of somebody who was
    /// removed, until it is added again.
    ///
    /// - Parameter audit: Makes the audit record from the removed member.
    func removeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (MemberEntry) -> AuditRecord?,
        now: Date
    ) async throws -> MemberChangeOutcome
}
