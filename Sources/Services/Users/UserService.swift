import Foundation
import Model
import Ports

/// Says whom a request means, and changes who is who.
package struct UserService: Sendable {
    private let store: any IdentityStore
    private let now: @Sendable () -> Date

    package init(store: any IdentityStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// Every user whom a reference can mean, the most recently updated first: more than one only for
    /// an e-mail address or a phone number.
    package func users(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) async throws -> [Profile] {
        try await store.users(reference, in: workspace)
    }

    /// The one user whom a reference means, the most recently updated of several.
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

    /// Makes the changes in their order, all in one transaction; a refused one leaves the others.
    ///
    /// - Throws: `NotAllowed` to members who are no marketers.
    package func apply(
        _ changes: [IdentityChange],
        by actor: Actor
    ) async throws -> [IdentityOutcome] {
        try actor.require(.marketer)
        return try await store.apply(changes, in: actor.workspace, now: now())
    }

    /// Deletes users with everything that says something of them, for good. The audit log has how
    /// many they were and not who: that would say something of them.
    ///
    /// - Returns: How many of the users there were.
    /// - Throws: `NotAllowed` to whoever is no administrator.
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
}
