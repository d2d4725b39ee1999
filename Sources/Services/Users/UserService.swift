import Foundation
import Model
import Ports

/// Resolves the references of requests to users, and changes identities.
package struct UserService: Sendable {
    private let store: any IdentityStore
    private let now: @Sendable () -> Date

    package init(store: any IdentityStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// All users that a reference matches, the most recently updated first: more than one only for
    /// an e-mail address or a phone number.
    package func users(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) async throws -> [Profile] {
        try await store.users(reference, in: workspace)
    }

    /// The user that a reference means, the most recently updated of several.
    package func user(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) async throws -> Profile? {
        try await store.users(reference, in: workspace).first
    }

    /// The user who is logged in on an installation.
    package func owner(
        ofInstallation id: UUID,
        in workspace: WorkspaceID
    ) async throws -> Profile? {
        try await store.owner(ofInstallation: id, in: workspace)?.user
    }

    /// Makes the changes in order, all in one transaction; a rejected change does not affect the
    /// others.
    ///
    /// - Throws: `NotAllowedError` for members who are not marketers.
    package func apply(
        _ changes: [IdentityChange],
        by actor: Actor
    ) async throws -> [IdentityOutcome] {
        try actor.require(.marketer)
        return try await store.apply(changes, in: actor.workspace, now: now())
    }

    /// Permanently deletes users with all of their data. The audit log records their number but no
    /// identifiers, which would be personal data.
    ///
    /// - Returns: The number of users that existed.
    /// - Throws: `NotAllowedError` for actors who are not administrators.
    package func delete(_ users: [ProfileID], by actor: Actor) async throws -> Int {
        try actor.require(.administrator)
        return try await store.deleteUsers(
            users,
            in: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "users.delete",
                subject: String(users.count)
            ),
            now: now()
        )
    }

    /// Permanently deletes a user at the user's own wish, from the app on an installation. The audit
    /// log names the app, and nobody's identifiers.
    ///
    /// - Parameter user: A named user has to be proved by the caller. A nameless one is deleted only
    ///   from the installation that the user is known on.
    /// - Returns: Whether the user existed.
    package func delete(
        _ user: UserReference,
        atWishFrom installation: UUID,
        of app: App
    ) async throws -> Bool {
        let found: Profile?
        switch user {
        case .anonymous(let id):
            let owner = try await store.owner(ofInstallation: installation, in: app.workspace)
            // Whoever has a name by now was nameless under the same id before.
            found = owner.map(\.user).flatMap {
                $0.anonymousID == id && $0.externalID == nil ? $0 : nil
            }
        default:
            found = try await store.users(user, in: app.workspace).first
        }
        guard let found else { return false }
        let count = try await store.deleteUsers(
            [found.id],
            in: app.workspace,
            noting: AuditRecord(
                at: now(),
                origin: .api,
                author: app.name,
                action: "users.delete",
                subject: "1",
                detail: "by the user, in the app"
            ),
            now: now()
        )
        return count > 0
    }
}
