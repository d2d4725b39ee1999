import Crypto
import Foundation
import Model
import Ports

/// Encrypts the secrets of members' second factors with the server's key.
package struct SecondFactorVault: MemberSecretVault {
    private let cipher: CredentialCipher

    package init(key: SymmetricKey) {
        cipher = CredentialCipher(key: key)
    }

    package func seal(_ secret: Data, of member: MemberID) throws -> Data {
        try cipher.seal(secret, row: row(member))
    }

    /// - Throws: `CredentialError` if it cannot be decrypted.
    package func open(_ box: Data, of member: MemberID) throws -> Data {
        try cipher.open(box, as: Data.self, row: row(member))
    }

    private func row(_ member: MemberID) -> String { "noroshi.second-factor/\(member)" }
}
