import Crypto
import Foundation
import Model
import Ports

/// Stores the push credentials of apps, encrypted.
package struct CredentialVault: Sendable {
    private let store: any AccountStore
    private let seal: CredentialCipher
    private let now: @Sendable () -> Date

    package init(
        store: any AccountStore,
        key: SymmetricKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.now = now
        seal = CredentialCipher(key: key)
    }

    /// Encrypts and stores `credentials` for an app; replaces earlier ones.
    package func save(
        _ credentials: some Encodable,
        app: AppID,
        provider: PushProvider,
        noting audit: AuditRecord?
    ) async throws {
        try await store.saveCredentials(
            SealedCredentials(
                app: app,
                provider: provider,
                box: try seal.seal(credentials, row: row(app, provider))
            ),
            noting: audit,
            now: now()
        )
    }

    /// The credentials of an app; `nil` if it has none.
    ///
    /// - Throws: `CredentialError` when they cannot be opened.
    package func credentials<Credentials: Decodable>(
        _ type: Credentials.Type,
        app: AppID,
        provider: PushProvider
    ) async throws -> Credentials? {
        let stored = try await store.credentials(app: app, provider: provider).first
        return try stored.map { try seal.open($0.box, as: type, row: row(app, provider)) }
    }

    private func row(_ app: AppID, _ provider: PushProvider) -> String {
        "noroshi.credentials/\(app)/\(provider.rawValue)"
    }
}
