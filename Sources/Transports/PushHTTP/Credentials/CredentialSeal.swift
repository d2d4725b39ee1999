import Crypto
import Foundation

/// Seals credentials for storage: AES-256-GCM under a key of the configuration.
///
/// The context (such as `apns/12`) is authenticated with the content, so a sealed value that is
/// copied to another row does not open there.
package struct CredentialSeal: Sendable {
    private static let version: UInt8 = 1
    private static let keyNameLength = 4

    private let key: SymmetricKey
    /// Names the key in each sealed value, so that a wrong key is told from damaged data.
    private let keyName: [UInt8]

    /// - Parameter base64Key: 32 random bytes in base64, from `openssl rand -base64 32`.
    package init(base64Key: String) throws(CredentialSealError) {
        let text = base64Key.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Base64URL.decode(text), bytes.count == 32 else { throw .badKey }
        key = SymmetricKey(data: bytes)
        keyName = Array(SHA256.hash(data: Data("noroshi credential key".utf8) + bytes))
            .prefix(Self.keyNameLength).map { $0 }
    }

    /// A new key in base64, for a configuration that has none yet.
    package static func makeKey() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
    }

    package func seal(_ value: some Encodable, context: String) throws -> [UInt8] {
        let content = try JSONEncoder().encode(value)
        let box = try AES.GCM.seal(content, using: key, authenticating: Data(context.utf8))
        guard let combined = box.combined else { throw CredentialSealError.damaged }
        return [Self.version] + keyName + combined
    }

    package func open<Value: Decodable>(
        _ sealed: [UInt8],
        as type: Value.Type,
        context: String
    ) throws(CredentialSealError) -> Value {
        guard sealed.first == Self.version, sealed.count > 1 + Self.keyNameLength else {
            throw .damaged
        }
        guard Array(sealed[1...Self.keyNameLength]) == keyName else { throw .otherKey }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed[(1 + Self.keyNameLength)...])
            let content = try AES.GCM.open(box, using: key, authenticating: Data(context.utf8))
            return try JSONDecoder().decode(type, from: content)
        } catch {
            throw .damaged
        }
    }
}

/// Why credentials cannot be sealed or opened.
package enum CredentialSealError: Error, Hashable, CustomStringConvertible {
    case badKey
    case otherKey
    case damaged

    package var description: String {
        switch self {
        case .badKey:
            """
            The credential key is not 32 bytes in base64. Make one with \
            `openssl rand -base64 32` and keep it with your backups.
            """
        case .otherKey:
            """
            The stored credentials were sealed with another key. Configure the key that was \
            used when they were uploaded, or upload them again.
            """
        case .damaged:
            "The stored credentials are damaged or belong to another app. Upload them again."
        }
    }
}
