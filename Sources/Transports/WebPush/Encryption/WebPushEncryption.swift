import Crypto

/// Message encryption for Web Push (RFC 8291).
package struct WebPushEncryption: Sendable {
    /// The most bytes of content that fit a body of 4096 bytes.
    package static let maxContentLength = 3993

    private let keys: WebPushSubscriptionKeys
    private let publicKey: P256.KeyAgreement.PublicKey

    /// - Parameters:
    ///   - publicKey: the subscription's `p256dh`, base64url.
    ///   - authenticationSecret: the subscription's `auth`, base64url.
    package init(
        publicKey: String,
        authenticationSecret: String
    ) throws(WebPushSubscriptionError) {
        try self.init(
            WebPushSubscriptionKeys(
                publicKey: publicKey,
                authenticationSecret: authenticationSecret
            )
        )
    }

    init(_ keys: WebPushSubscriptionKeys) throws(WebPushSubscriptionError) {
        do {
            // Also checks that the point is on the curve.
            publicKey = try P256.KeyAgreement.PublicKey(x963Representation: keys.point)
        } catch {
            throw .badPublicKey
        }
        self.keys = keys
    }

    /// Encrypts content with a new key pair and salt.
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

    static func makeSalt() -> [UInt8] { SecureRandom.bytes(16) }

    /// Agrees with the subscription on the input keying material (RFC 8291, 3.3).
    func agree(_ pair: WebPushKeyPair) throws -> SymmetricKey {
        keys.inputKey(
            agreed: try pair.privateKey.sharedSecretFromKeyAgreement(with: publicKey),
            sender: pair.publicKey
        )
    }
}

/// The error of a subscription.
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
