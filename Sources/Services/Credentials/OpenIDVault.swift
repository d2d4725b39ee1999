import Crypto
import Foundation
import Model
import Ports

/// Encrypts the secrets of OpenID Connect clients with the server's key.
package struct OpenIDVault: OpenIDSecretVault {
    private let cipher: CredentialCipher

    package init(key: SymmetricKey) {
        cipher = CredentialCipher(key: key)
    }

    package func seal(_ secret: String, of workspace: WorkspaceID) throws -> Data {
        try cipher.seal(secret, row: row(workspace))
    }

    /// - Throws: `CredentialError` if it cannot be decrypted.
    package func open(_ box: Data, of workspace: WorkspaceID) throws -> String {
        try cipher.open(box, as: String.self, row: row(workspace))
    }

    private func row(_ workspace: WorkspaceID) -> String { "noroshi.openid/\(workspace)" }
}
