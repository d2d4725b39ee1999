import Foundation
import Model

/// Which workspaces a member belongs to. A `Member` is what the person is in one of them.
package protocol MembershipStore: Sendable {
    /// What a member is in each workspace that they may open; the one that was opened last comes
    /// first, the others follow from the oldest to the newest.
    func memberships(of member: MemberID) async throws -> [Member]
    /// The same of the member with this address.
    func memberships(email: String) async throws -> [Member]
    /// Whether a member of this workspace belongs to another one too, of which `administrator` is
    /// not an administrator who may sign in.
    func belongs(
        _ member: MemberID,
        beyond workspace: WorkspaceID,
        andThoseOf administrator: MemberID?
    ) async throws -> Bool
    /// Who of a workspace's members ``belongs(_:beyond:andThoseOf:)``.
    func members(
        of workspace: WorkspaceID,
        belongingBeyondThoseOf administrator: MemberID?
    ) async throws -> Set<MemberID>
    /// Turns a session to another workspace, which is then the one that was opened last.
    ///
    /// - Returns: `false` if the session is not there, or its member may not open the workspace.
    func switchConsoleSession(
        tokenHash: Data,
        to workspace: WorkspaceID,
        now: Date
    ) async throws -> Bool
    /// Creates a workspace with a member as its first administrator.
    ///
    /// - Parameter administrator: What they are in another workspace; `nil` makes one without
    ///   members.
    /// - Throws: `StoreError` with code `exists` if the name is taken.
    func createWorkspace(
        _ settings: WorkspaceSettings,
        administrator: Member?,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> WorkspaceID
}
