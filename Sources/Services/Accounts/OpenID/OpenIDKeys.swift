import Crypto
import Foundation
import Model
import Reasons
import _CryptoExtras

/// The keys with which a provider signs (RFC 7517). Keys of kinds that are not taken are left out.
package struct OpenIDKeys: Sendable {
    /// Maximum number of keys that are looked at.
    private static let limit = 100

    private enum Key: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)

        var algorithm: OpenIDAlgorithm {
            switch self {
            case .rsa: .rs256
            case .p256: .es256
            }
        }
    }

    private struct Entry: Sendable {
        var id: String?
        var key: Key
    }

    private struct Document: Decodable {
        var keys: [JSONKey]
    }

    private struct JSONKey: Decodable {
        var kty: String?
        var use: String?
        var alg: String?
        var kid: String?
        var n: String?
        var e: String?
        var crv: String?
        var x: String?
        var y: String?
    }

    private let entries: [Entry]

    package var count: Int { entries.count }

    /// - Throws: `OpenIDError` if it is no set of keys, or none of them can be used.
    package init(_ bytes: [UInt8], from address: String) throws(OpenIDError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(bytes))
        } catch {
            throw OpenIDError(.notJSON, ["address": .text(address)])
        }
        entries = document.keys.prefix(Self.limit).compactMap { key in
            Self.key(key).map { Entry(id: key.kid, key: $0) }
        }
        guard !entries.isEmpty else { throw OpenIDError(.noKeys) }
    }

    /// Whether the signature is by the key with this id; without an id, by the only key there is
    /// for the algorithm (OpenID Connect Core 1.0, section 10.1).
    ///
    /// - Throws: `OpenIDError` with the code `keyUnknown` or `signature`.
    func verify(
        _ signature: Data,
        of signed: Data,
        by algorithm: OpenIDAlgorithm,
        key id: String?
    ) throws(OpenIDError) {
        let candidates = entries.filter { entry in
            entry.key.algorithm == algorithm && (id == nil || entry.id == id)
        }
        guard let entry = candidates.first, id != nil || candidates.count == 1 else {
            throw OpenIDError(
                .keyUnknown,
                ["key": .text(id ?? ""), "algorithm": .text(algorithm.rawValue)]
            )
        }
        let isValid: Bool
        switch entry.key {
        case .rsa(let key):
            isValid = key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature),
                for: signed,
                padding: .insecurePKCS1v1_5
            )
        case .p256(let key):
            // 64 bytes, r and s (RFC 7518, section 3.4); other lengths are refused there.
            let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            isValid = parsed.map { key.isValidSignature($0, for: signed) } ?? false
        }
        guard isValid else { throw OpenIDError(.signature) }
    }

    private static func key(_ key: JSONKey) -> Key? {
        guard key.use == nil || key.use == "sig" else { return nil }
        func bytes(_ text: String?) -> Data? { text.flatMap(Base64URL.bytes) }
        switch key.kty {
        case "RSA":
            guard key.alg == nil || key.alg == OpenIDAlgorithm.rs256.rawValue,
                let n = bytes(key.n), let e = bytes(key.e),
                // Keys of less than 2,048 bits are refused there (RFC 7518, section 3.3).
                let found = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return nil }
            return .rsa(found)
        case "EC":
            guard key.alg == nil || key.alg == OpenIDAlgorithm.es256.rawValue,
                key.crv == "P-256", let x = bytes(key.x), let y = bytes(key.y),
                x.count == 32, y.count == 32
            else { return nil }
            return (try? P256.Signing.PublicKey(x963Representation: [4] + x + y)).map(Key.p256)
        default: return nil
        }
    }
}
