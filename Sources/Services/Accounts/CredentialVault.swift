import Crypto
import Foundation
import Model
import Ports

/// Keeps what push providers want to see of an app: sealed with AES-256-GCM before it reaches the
/// store, so that a copy of the database alone gives nothing away.
///
/// A sealed value is a version, the name of the key and the box. The row (app and provider) is
/// authenticated with the content, so a value that is copied to another row does not open there.
package struct CredentialVault: Sendable {
    /// Why stored credentials do not open.
    package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        case otherKey
        case damaged

        package var description: String {
            switch self {
            case .otherKey:
                """
                The stored push credentials were sealed with another secret key. Start the \
                server with the key file it had (--secret-key-file), or upload them again.
                """
            case .damaged:
                "The stored push credentials are damaged or belong to another app. Upload them again."
            }
        }
    }

    private static let version: UInt8 = 1
    private static let keyNameLength = 4

    private let store: any AccountStore
    private let key: SymmetricKey
    /// Tells a wrong key from damaged content.
    private let keyName: Data
    private let now: @Sendable () -> Date

    /// - Parameter key: 32 random bytes.
    package init(
        store: any AccountStore,
        key: SymmetricKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.key = key
        self.now = now
        let name = HMAC<SHA256>.authenticationCode(for: Data("key name".utf8), using: key)
        keyName = Data(name.prefix(Self.keyNameLength))
    }

    /// Seals `credentials` for an app; they replace what was there.
    package func save(
        _ credentials: some Encodable,
        app: AppID,
        provider: PushProvider
    ) async throws {
        let plain = try JSONEncoder().encode(credentials)
        let box = try AES.GCM.seal(plain, using: key, authenticating: context(app, provider))
        var sealed = Data([Self.version]) + keyName + Data(box.nonce)
        sealed += box.ciphertext
        sealed += box.tag
        try await store.saveCredentials(
            SealedCredentials(app: app, provider: provider, box: sealed),
            now: now()
        )
    }

    /// The credentials of an app, if it has any.
    ///
    /// - Throws: `Problem` when they cannot be opened.
    package func credentials<Credentials: Decodable>(
        _ type: Credentials.Type,
        app: AppID,
        provider: PushProvider
    ) async throws -> Credentials? {
        guard let stored = try await store.credentials(app: app, provider: provider).first else {
            return nil
        }
        let sealed = stored.box
        let head = 1 + Self.keyNameLength
        guard sealed.first == Self.version, sealed.count > head else { throw Problem.damaged }
        guard sealed.dropFirst().prefix(Self.keyNameLength).elementsEqual(keyName) else {
            throw Problem.otherKey
        }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed.dropFirst(head))
            let plain = try AES.GCM.open(box, using: key, authenticating: context(app, provider))
            return try JSONDecoder().decode(type, from: plain)
        } catch {
            throw Problem.damaged
        }
    }

    private func context(_ app: AppID, _ provider: PushProvider) -> Data {
        Data("noroshi.credentials/\(app)/\(provider.rawValue)".utf8)
    }
}
