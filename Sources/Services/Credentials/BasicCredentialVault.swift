import Crypto
import Foundation
import Model
import Ports

/// A name and a password that `connected_content` sends with `:basic_auth`.
package struct BasicCredentials: Sendable, Hashable, Codable {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// Stores these credentials by name, encrypted.
package struct BasicCredentialVault: Sendable {
    private let store: any SecretStore
    private let seal: CredentialCipher
    private let now: @Sendable () -> Date

    package init(
        store: any SecretStore,
        key: SymmetricKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.now = now
        seal = CredentialCipher(key: key)
    }

    /// Encrypts and stores `credentials`; replaces those with the same name.
    ///
    /// - Throws: `NotAllowedError` for actors who are not administrators.
    package func save(
        _ credentials: BasicCredentials,
        named name: String,
        by actor: Actor
    ) async throws {
        try actor.require(.administrator)
        let box = try seal.seal(credentials, row: row(name, actor.workspace))
        try await store.saveSecret(
            box,
            named: name,
            in: actor.workspace,
            noting: AuditRecord(at: now(), by: actor, action: "basic_auth_saved", subject: name),
            now: now()
        )
    }

    /// Deletes the credentials with a name.
    ///
    /// - Returns: `false` if there were none.
    /// - Throws: `NotAllowedError` for actors who are not administrators.
    package func delete(_ name: String, by actor: Actor) async throws -> Bool {
        try actor.require(.administrator)
        return try await store.deleteSecret(
            named: name,
            in: actor.workspace,
            noting: AuditRecord(at: now(), by: actor, action: "basic_auth_deleted", subject: name)
        )
    }

    package func names(in workspace: WorkspaceID) async throws -> [String] {
        try await store.secretNames(in: workspace)
    }

    /// - Throws: `CredentialError` when they cannot be opened.
    package func credentials(
        named name: String,
        in workspace: WorkspaceID
    ) async throws -> BasicCredentials? {
        let box = try await store.secret(named: name, in: workspace)
        return try box.map {
            try seal.open($0, as: BasicCredentials.self, row: row(name, workspace))
        }
    }

    private func row(_ name: String, _ workspace: WorkspaceID) -> String {
        "noroshi.secrets/\(workspace)/\(name)"
    }
}
