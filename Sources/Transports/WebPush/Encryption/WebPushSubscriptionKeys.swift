import Crypto
import Foundation
import PushHTTP

/// The keys that a browser provides for encryption (`PushSubscription.getKey`).
struct WebPushSubscriptionKeys: Sendable {
    private static let info = Array("WebPush: info".utf8) + [0]

    /// An uncompressed point of P-256; whether it is on the curve is checked on use.
    let point: [UInt8]
    private let authenticationSecret: SymmetricKey

    /// - Parameters:
    ///   - publicKey: the subscription's `p256dh`, base64url.
    ///   - authenticationSecret: the subscription's `auth`, base64url.
    init(
        publicKey: String,
        authenticationSecret: String
    ) throws(WebPushSubscriptionError) {
        guard let bytes = Base64URL.decode(publicKey), bytes.count == 65 else {
            throw .badPublicKey
        }
        guard let secret = Base64URL.decode(authenticationSecret), secret.count == 16 else {
            throw .badSecret
        }
        point = bytes
        self.authenticationSecret = SymmetricKey(data: secret)
    }

    init(_ message: WebPushMessage) throws(WebPushSubscriptionError) {
        try self.init(
            publicKey: message.publicKey,
            authenticationSecret: message.authenticationSecret
        )
    }

    /// Combines what was agreed and the subscription's secret (RFC 8291, 3.3).
    ///
    /// - Parameter sender: the public key of the server's pair.
    func inputKey(agreed: some ContiguousBytes, sender: [UInt8]) -> SymmetricKey {
        let combined = agreed.withUnsafeBytes { agreed in
            authenticationSecret.withUnsafeBytes { ShortKeyHMAC.code(of: agreed, key: $0) }
        }
        var info: [UInt8] = []
        info.reserveCapacity(Self.info.count + point.count + sender.count + 1)
        info += Self.info
        info += point
        info += sender
        info.append(1)
        return combined.withUnsafeBytes { combined in
            SymmetricKey(data: info.withUnsafeBytes { ShortKeyHMAC.code(of: $0, key: combined) })
        }
    }
}
