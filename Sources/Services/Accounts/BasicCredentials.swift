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

/// Keeps them by name, encrypted with AES-GCM before they reach the store.
package struct BasicCredentialVault: Sendable {
    private let store: any SecretStore
    private let key: SymmetricKey
    private let now: @Sendable () -> Date

    package init(
        store: any SecretStore,
        key: SymmetricKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.key = key
        self.now = now
    }

    /// Seals `credentials`; they replace what had the name.
    package func save(
        _ credentials: BasicCredentials,
        named name: String,
        in workspace: WorkspaceID
    ) async throws {
        let sealed = try AES.GCM.seal(
            try JSONEncoder().encode(credentials),
            using: key,
            authenticating: context(name, workspace)
        )
        guard let box = sealed.combined else { throw CredentialVault.Unreadable() }
        try await store.saveSecret(box, named: name, in: workspace, now: now())
    }

    /// - Throws: `CredentialVault.Unreadable` when they cannot be opened.
    package func credentials(
        named name: String,
        in workspace: WorkspaceID
    ) async throws -> BasicCredentials? {
        guard let box = try await store.secret(named: name, in: workspace) else { return nil }
        do {
            let plain = try AES.GCM.open(
                try AES.GCM.SealedBox(combined: box),
                using: key,
                authenticating: context(name, workspace)
            )
            return try JSONDecoder().decode(BasicCredentials.self, from: plain)
        } catch {
            throw CredentialVault.Unreadable()
        }
    }

    /// Binds a box to its row, so that one cannot be put in the place of another.
    private func context(_ name: String, _ workspace: WorkspaceID) -> Data {
        Data("noroshi.secrets/\(workspace)/\(name)".utf8)
    }
}
