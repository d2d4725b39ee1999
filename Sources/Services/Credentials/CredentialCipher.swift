import Crypto
import Foundation
import Model
import Reasons

/// Encrypts secrets for the store with AES-256-GCM, so that a copy of the database alone reveals
/// nothing.
///
/// An encrypted value is a version, the name of the key and the box. Its row is authenticated with
/// the content, so that a value copied to another row cannot be decrypted.
struct CredentialCipher: Sendable {
    private static let version: UInt8 = 1
    private static let keyNameLength = 4
    /// Length of the beginning that says with which key a value is encrypted.
    static let headLength = 1 + keyNameLength

    private let key: SymmetricKey
    /// Distinguishes a wrong key from damaged content.
    private let keyName: Data

    /// - Parameter key: 32 random bytes.
    init(key: SymmetricKey) {
        self.key = key
        let name = HMAC<SHA256>.authenticationCode(for: Data("key name".utf8), using: key)
        keyName = Data(name.prefix(Self.keyNameLength))
    }

    /// - Parameter row: Identifies the row that stores the encrypted value.
    func seal(_ value: some Encodable, row: String) throws -> Data {
        let plain = try JSONEncoder().encode(value)
        let box = try AES.GCM.seal(plain, using: key, authenticating: Data(row.utf8))
        return head + Data(box.nonce) + box.ciphertext + box.tag
    }

    /// The beginning of all values that this key encrypts.
    var head: Data { Data([Self.version]) + keyName }

    func open<Value: Decodable>(
        _ sealed: Data,
        as type: Value.Type,
        row: String
    ) throws(CredentialError) -> Value {
        guard sealed.first == Self.version, sealed.count > Self.headLength else {
            throw CredentialError(.damaged)
        }
        guard sealed.dropFirst().prefix(Self.keyNameLength).elementsEqual(keyName) else {
            throw CredentialError(.otherKey)
        }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed.dropFirst(Self.headLength))
            let plain = try AES.GCM.open(box, using: key, authenticating: Data(row.utf8))
            return try JSONDecoder().decode(type, from: plain)
        } catch {
            throw CredentialError(.damaged)
        }
    }
}
