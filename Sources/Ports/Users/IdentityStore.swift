import Foundation
import Model
import NoroshiWire

/// Identities of users: aliases, identifiers, merging, deletion, and all data of one user.
package protocol IdentityStore: Sendable {
    /// All users that a reference matches, the most recently updated first: more than one only for
    /// an e-mail address or a phone number.
    func users(_ reference: UserReference, in workspace: WorkspaceID) async throws -> [Profile]
    /// The user logged in on an installation.
    func owner(
        ofInstallation id: UUID,
        in workspace: WorkspaceID
    ) async throws -> InstallationOwner?
    /// All data of a user, with activity since `start`.
    func record(of profile: ProfileID, since start: Date) async throws -> UserRecord
    /// Users' activity since `start`, in one pass for all of them. Users without activity are left
    /// out.
    func activity(
        of profiles: [ProfileID],
        in workspace: WorkspaceID,
        since start: Date
    ) async throws -> [ProfileID: UserActivity]
    /// Makes the changes in order, in one transaction; a rejected change does not affect the
    /// others.
    func apply(
        _ changes: [IdentityChange],
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> [IdentityOutcome]
    /// Deletes users with all of their data. Their dispatches are kept for the counts but no longer
    /// name the user; queued ones are not sent.
    ///
    /// - Returns: The number of users that existed.
    func deleteUsers(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Int
}
