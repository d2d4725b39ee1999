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

/// Keeps them by name, sealed.
package struct BasicCredentialVault: Sendable {
    private let store: any SecretStore
    private let seal: CredentialSeal
    private let now: @Sendable () -> Date

    package init(
        store: any SecretStore,
        key: SymmetricKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.now = now
        seal = CredentialSeal(key: key)
    }

    /// Seals `credentials`; they replace what had the name.
    package func save(
        _ credentials: BasicCredentials,
        named name: String,
        in workspace: WorkspaceID
    ) async throws {
        let box = try seal.seal(credentials, row: row(name, workspace))
        try await store.saveSecret(box, named: name, in: workspace, now: now())
    }

    /// - Throws: `CredentialVault.Problem` when they cannot be opened.
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
