import Crypto
import Foundation
import Ports

/// Encrypts the secrets of webhooks of facts with the server's key.
package struct FactWebhookVault: FactSecretVault {
    private let cipher: CredentialCipher

    package init(key: SymmetricKey) {
        cipher = CredentialCipher(key: key)
    }

    package func seal(_ secret: Data, of webhook: UUID) throws -> Data {
        try cipher.seal(secret, row: row(webhook))
    }

    /// - Throws: `CredentialError` if it cannot be decrypted.
    package func open(_ box: Data, of webhook: UUID) throws -> Data {
        try cipher.open(box, as: Data.self, row: row(webhook))
    }

    private func row(_ webhook: UUID) -> String {
        "noroshi.fact-webhooks/\(webhook.uuidString.lowercased())"
    }
}
