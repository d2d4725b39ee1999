import Crypto
import Foundation
import PushHTTP

/// Message encryption for Web Push (RFC 8291).
package struct WebPushEncryption: Sendable {
    /// The most bytes of content that fit a body of 4096 bytes.
    package static let longestContent = 3993

    private static let info = Array("WebPush: info".utf8) + [0]
    private static let one: [UInt8] = [1]

    private let publicKey: P256.KeyAgreement.PublicKey
    private let publicKeyBytes: [UInt8]
    private let authenticationSecret: SymmetricKey

    /// - Parameters:
    ///   - publicKey: the subscription's `p256dh`, base64url.
    ///   - authenticationSecret: the subscription's `auth`, base64url.
    package init(
        publicKey: String,
        authenticationSecret: String
    ) throws(WebPushSubscriptionError) {
        guard let bytes = Base64URL.decode(publicKey), bytes.count == 65 else {
            throw .badPublicKey
        }
        do {
            // Also checks that the point is on the curve.
            self.publicKey = try P256.KeyAgreement.PublicKey(x963Representation: bytes)
        } catch {
            throw .badPublicKey
        }
        publicKeyBytes = bytes
        guard let secret = Base64URL.decode(authenticationSecret), secret.count == 16 else {
            throw .badSecret
        }
        self.authenticationSecret = SymmetricKey(data: secret)
    }

    /// Encrypts content under a key pair and a salt of this message's own.
    package func encrypt(_ content: [UInt8]) throws -> [UInt8] {
        try encrypt(content, pair: WebPushKeyPair(), salt: Self.makeSalt())
    }

    /// The same with key pair and salt given, for the RFC's test vectors.
    package func encrypt(
        _ content: [UInt8],
        sender: P256.KeyAgreement.PrivateKey,
        salt: [UInt8]
    ) throws -> [UInt8] {
        try encrypt(content, pair: WebPushKeyPair(sender), salt: salt)
    }

    private func encrypt(
        _ content: [UInt8],
        pair: WebPushKeyPair,
        salt: [UInt8]
    ) throws -> [UInt8] {
        try EncryptedContent.encryptRecord(
            content,
            inputKey: agree(pair),
            salt: salt,
            keyID: pair.publicKey
        )
    }

    static func makeSalt() -> [UInt8] {
        SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    }

    /// Combines the shared secret and the subscription's secret (RFC 8291, 3.3).
    func agree(_ pair: WebPushKeyPair) throws -> SymmetricKey {
        let shared = try pair.privateKey.sharedSecretFromKeyAgreement(with: publicKey)
        let combined = shared.withUnsafeBytes { shared in
            HMAC<SHA256>.authenticationCode(for: shared, using: authenticationSecret)
        }
        var hash = HMAC<SHA256>(key: SymmetricKey(data: combined))
        hash.update(data: Self.info)
        hash.update(data: publicKeyBytes)
        hash.update(data: pair.publicKey)
        hash.update(data: Self.one)
        return SymmetricKey(data: hash.finalize())
    }
}

/// What is wrong with a subscription.
package enum WebPushSubscriptionError: Error, Hashable, CustomStringConvertible {
    case badPublicKey
    case badSecret
    case badEndpoint(String)

    package var description: String {
        switch self {
        case .badPublicKey: "The subscription's p256dh is not a point of P-256 in base64url."
        case .badSecret: "The subscription's auth is not 16 bytes in base64url."
        case .badEndpoint(let detail): "The subscription's endpoint is refused: \(detail)."
        }
    }
}
