import Foundation
import Model

/// The members of a workspace. Each change by a member is one transaction with its audit record.
package protocol MemberDirectoryStore: Sendable {
    /// - Throws: `StoreError` with code `exists` if the address is taken.
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
    /// Changes a member. The member's sessions end if the member becomes inactive or gets another
    /// password.
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
    /// Removes a member and ends their sessions. The address stays known as that of somebody who was
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
