import Foundation
import Model

/// The members of a workspace. Each change that somebody makes is one transaction with its audit
/// record.
package protocol MemberDirectoryStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the address is taken.
    func addMember(
        _ draft: MemberDraft,
        _ details: MemberDetails,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> MemberEntry
    func memberEntry(_ id: MemberID, in workspace: WorkspaceID) async throws -> MemberEntry?
    /// In the order of their making.
    func memberEntries(
        in workspace: WorkspaceID,
        matching filter: MemberFilter?,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [MemberEntry], total: Int)
    /// Changes a member. The sessions of one who is made inactive or gets another password end.
    ///
    /// - Parameter audit: What is written down of the member as they are then.
    func changeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        to change: MemberChange,
        noting audit: @escaping @Sendable (MemberEntry) -> AuditRecord?,
        now: Date
    ) async throws -> MemberChangeOutcome
    /// Removes a member and ends their sessions.
    ///
    /// - Parameter audit: What is written down of the member as they were.
    func removeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (MemberEntry) -> AuditRecord?
    ) async throws -> MemberChangeOutcome
}
