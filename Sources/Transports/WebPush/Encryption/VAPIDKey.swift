import Crypto
import Foundation
import Model
import PushHTTP
import Reasons

/// The key pair by which a site names itself to push services (RFC 8292).
///
/// Subscriptions are tied to it for life: another key means that every browser subscribes again.
package struct VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// The value of `applicationServerKey` for the browser's `subscribe`.
    package let publicKey: String

    /// Creates a new key pair.
    package init() {
        self.init(key: P256.Signing.PrivateKey())
    }

    private init(key: P256.Signing.PrivateKey) {
        self.key = key
        publicKey = Base64URL.encode(key.publicKey.x963Representation)
    }

    /// - Parameter privateKey: 32 bytes in base64url, or PEM.
    package init(privateKey: String) throws(CredentialError) {
        do {
            if privateKey.contains("-----BEGIN") {
                self.init(key: try P256.Signing.PrivateKey(pemRepresentation: privateKey))
            } else if let bytes = Base64URL.decode(privateKey) {
                self.init(key: try P256.Signing.PrivateKey(rawRepresentation: bytes))
            } else {
                throw CredentialError(.vapidKey)
            }
        } catch {
            throw CredentialError(.vapidKey)
        }
    }

    /// The private key in base64url, to be encrypted and backed up.
    package var privateKey: String { Base64URL.encode(key.rawRepresentation) }

    /// Whether the public key that browsers receive verifies a signature of the private key.
    func verifiesItself() throws -> Bool {
        let content = Data("vapid".utf8)
        guard let bytes = Base64URL.decode(publicKey) else { return false }
        return try P256.Signing.PublicKey(x963Representation: bytes)
            .isValidSignature(key.signature(for: content), for: content)
    }

    /// The `authorization` header for one push service.
    ///
    /// - Parameters:
    ///   - origin: scheme, host and port of the endpoint.
    ///   - subject: a `mailto:` or `https:` contact.
    ///   - expires: at most 24 hours ahead.
    package func authorization(
        origin: String,
        subject: String,
        expires: Date
    ) throws -> String {
        let header = #"{"typ":"JWT","alg":"ES256"}"#
        var claims = JSONWriter()
        claims.object { claims in
            claims.member("aud", origin)
            claims.member("exp", Int(expires.timeIntervalSince1970))
            claims.member("sub", subject)
        }
        let content = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.bytes))"
        let signature = try key.signature(for: Data(content.utf8)).rawRepresentation
        return "vapid t=\(content).\(Base64URL.encode(signature)), k=\(publicKey)"
    }
}
