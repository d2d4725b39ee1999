import Crypto
import Foundation
import Model
import Ports

/// Keeps what push providers want to see of an app: encrypted with AES-GCM before it reaches the
/// store, so that a copy of the database alone gives nothing away.
package struct CredentialVault: Sendable {
    /// The box does not open: another key has closed it, or it is damaged.
    package struct Unreadable: Error, Sendable, CustomStringConvertible {
        package let description =
            "the stored push credentials cannot be opened with this server's secret key; "
            + "start it with the key file it had, or upload the credentials again"
    }

    private let store: any AccountStore
    private let key: SymmetricKey
    private let now: @Sendable () -> Date

    package init(
        store: any AccountStore,
        key: SymmetricKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.key = key
        self.now = now
    }

    /// Seals `credentials` for an app; they replace what was there.
    package func save(
        _ credentials: some Encodable,
        app: AppID,
        provider: PushProvider
    ) async throws {
        let plain = try JSONEncoder().encode(credentials)
        let sealed = try AES.GCM.seal(plain, using: key, authenticating: context(app, provider))
        guard let box = sealed.combined else { throw Unreadable() }
        try await store.saveCredentials(
            SealedCredentials(app: app, provider: provider, box: box),
            now: now()
        )
    }

    /// The credentials of an app, if it has any.
    ///
    /// - Throws: `Unreadable` when they cannot be opened.
    package func credentials<Credentials: Decodable>(
        _ type: Credentials.Type,
        app: AppID,
        provider: PushProvider
    ) async throws -> Credentials? {
        guard let sealed = try await store.credentials(app: app, provider: provider).first else {
            return nil
        }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed.box)
            let plain = try AES.GCM.open(box, using: key, authenticating: context(app, provider))
            return try JSONDecoder().decode(type, from: plain)
        } catch {
            throw Unreadable()
        }
    }

    /// Binds a box to its row, so that one cannot be put in the place of another.
    private func context(_ app: AppID, _ provider: PushProvider) -> Data {
        Data("noroshi.credentials/\(app)/\(provider.rawValue)".utf8)
    }
}
