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

/// Whose an installation says it is.
package struct InstallationOwner: Sendable, Hashable {
    package var user: Profile
    /// Whether it has proved so; a nameless user has nothing to prove.
    package var isProved: Bool

    package init(user: Profile, isProved: Bool) {
        self.user = user
        self.isProved = isProved
    }
}

/// One change of who is who.
package enum IdentityChange: Sendable, Hashable {
    /// Another name for a named user; without one a new user who has only this name.
    case addAlias(name: String, label: String, externalID: String?)
    case renameAlias(label: String, from: String, to: String)
    /// Names a nameless user. One that exists already takes over what is known of the nameless.
    case identify(UserReference, as: String)
    /// Moves everything of the first user to the second, and deletes the first.
    case merge(UserReference, into: UserReference)
    /// The old identifier still finds the user, until it is removed.
    case renameExternalID(from: String, to: String)
    /// Forgets an identifier that was renamed before.
    case removeExternalID(String)
}

package enum IdentityOutcome: Sendable, Hashable {
    case done
    case refused(String)
}

/// What a user did, by name.
package struct UserActivity: Sendable, Hashable {
    /// The app's own events.
    package var events: [UserRecord.Activity] = []
    /// Purchases by product.
    package var purchases: [UserRecord.Activity] = []

    package init() {}
}

/// Everything that is known of a user.
package struct UserRecord: Sendable, Hashable {
    /// How often something happened, and when first and last.
    package struct Activity: Sendable, Hashable {
        package var name: String
        package var first: Date
        package var last: Date
        package var count: Int

        package init(name: String, first: Date, last: Date, count: Int) {
            self.name = name
            self.first = first
            self.last = last
            self.count = count
        }
    }

    package var aliases: [UserAlias]
    package var devices: [Device]
    /// The app's own events by name.
    package var events: [Activity]
    /// Purchases by product.
    package var purchases: [Activity]

    package init(
        aliases: [UserAlias],
        devices: [Device],
        events: [Activity],
        purchases: [Activity]
    ) {
        self.aliases = aliases
        self.devices = devices
        self.events = events
        self.purchases = purchases
    }
}
