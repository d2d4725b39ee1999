import Foundation
import Model
import NoroshiWire

/// Who is who: aliases, identifiers, merging, deletion, and everything known of one user.
package protocol IdentityStore: Sendable {
    /// Every user a request can mean, the most recently updated first: more than one only for an
    /// e-mail address or a phone number.
    func users(_ reference: UserReference, in workspace: WorkspaceID) async throws -> [Profile]
    /// The user who is logged in on an installation.
    func owner(
        ofInstallation id: UUID,
        in workspace: WorkspaceID
    ) async throws -> InstallationOwner?
    /// Everything that is known of a user, activity from `start` on.
    func record(of profile: ProfileID, since start: Date) async throws -> UserRecord
    /// What users did from `start` on; one pass for all of them. Who did nothing is left out.
    func activity(
        of profiles: [ProfileID],
        in workspace: WorkspaceID,
        since start: Date
    ) async throws -> [ProfileID: UserActivity]
    /// Makes the changes in their order, in one transaction; a refused one leaves the others.
    func apply(
        _ changes: [IdentityChange],
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> [IdentityOutcome]
    /// Deletes users with everything that says something of them. The rows of the ledger stay for
    /// its counts and no longer say whose they were; what was waiting there is not sent.
    ///
    /// - Returns: How many of the users there were.
    func deleteUsers(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Int
}
