import Foundation
import Model

/// The members of a workspace for the directory of another system.
package protocol MemberDirectoryStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the address is taken.
    func addMember(
        _ draft: MemberDraft,
        _ details: MemberDetails,
        in workspace: WorkspaceID,
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
    func changeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        to change: MemberChange,
        now: Date
    ) async throws -> MemberChangeOutcome
    /// Removes a member and ends their sessions.
    func removeMember(
        _ id: MemberID,
        in workspace: WorkspaceID
    ) async throws -> MemberChangeOutcome
}
