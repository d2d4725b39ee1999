import Crypto
import Foundation
import Ports

/// Compares a server's key with the one that encrypts the secrets of its database. A server with another key
/// could open none of them, and would encrypt new ones that the others cannot open.
package struct KeyOfSecrets: Sendable {
    private let store: any SecretKeyStore
    private let cipher: CredentialCipher
    /// Made with the key and a label: it says nothing of the key, which is 32 random bytes.
    private let fingerprint: Data

    package init(store: any SecretKeyStore, key: SymmetricKey) {
        self.store = store
        cipher = CredentialCipher(key: key)
        let code = HMAC<SHA256>.authenticationCode(for: Data("fingerprint".utf8), using: key)
        fingerprint = Data(code)
    }

    /// Whether this is the database's key. Where nothing is kept, it becomes that, unless there are secrets and
    /// it opens none of them.
    package func isOfDatabase() async throws -> Bool {
        if let kept = try await store.keyFingerprint() { return kept == fingerprint }
        let heads = try await store.headsOfSecrets(length: CredentialCipher.headLength)
        // Whoever lost a key and entered some secrets anew has those of both.
        guard heads.isEmpty || heads.contains(cipher.head) else { return false }
        return try await store.keepKeyFingerprint(fingerprint, insteadOf: nil) == fingerprint
    }

    /// Makes this the database's key, because the former one is lost: what that one encrypted has to be
    /// entered anew.
    ///
    /// - Returns: `false` if it was so already.
    package func adopt() async throws -> Bool {
        var kept = try await store.keyFingerprint()
        guard kept != fingerprint else { return false }
        while kept != fingerprint {
            kept = try await store.keepKeyFingerprint(fingerprint, insteadOf: kept)
        }
        return true
    }
}
