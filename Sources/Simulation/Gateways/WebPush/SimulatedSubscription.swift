import Crypto
import Foundation

/// A browser's subscription, with the keys that only the browser has.
package struct SimulatedSubscription: Sendable {
    /// What `PushSubscription.toJSON()` gives to the site.
    package let endpoint: String
    package let publicKey: String
    package let authenticationSecret: String

    let path: String
    /// The site's VAPID key, if the browser subscribed with one.
    let applicationServerKey: String?
    private let key: P256.KeyAgreement.PrivateKey
    private let secret: [UInt8]

    init(origin: String, path: String, applicationServerKey: String?) {
        self.path = path
        self.applicationServerKey = applicationServerKey
        endpoint = origin + path
        key = P256.KeyAgreement.PrivateKey()
        secret = (0..<16).map { _ in UInt8.random(in: 0...255) }
        publicKey = Base64Text.encode(key.publicKey.x963Representation)
        authenticationSecret = Base64Text.encode(secret)
    }

    /// Decrypts a body as the browser does (RFC 8291 and 8188, one record); nil when it was not
    /// made for this subscription.
    package func decrypt(_ body: [UInt8]) -> [UInt8]? {
        guard body.count >= 86 + 17, body[20] == 65,
            let sender = try? P256.KeyAgreement.PublicKey(x963Representation: body[21..<86]),
            let shared = try? key.sharedSecretFromKeyAgreement(with: sender)
        else { return nil }
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let record = body[86...]
        guard record.count <= recordSize else { return nil }
        // HKDF (RFC 5869) does in two steps what RFC 8291 writes as single HMACs.
        let info =
            Array("WebPush: info".utf8) + [0] + Array(key.publicKey.x963Representation)
            + Array(body[21..<86])
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: secret,
            sharedInfo: info,
            outputByteCount: 32
        )
        let contentKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            salt: body[0..<16],
            info: Array("Content-Encoding: aes128gcm".utf8) + [0],
            outputByteCount: 16
        )
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            salt: body[0..<16],
            info: Array("Content-Encoding: nonce".utf8) + [0],
            outputByteCount: 12
        )
        guard let gcmNonce = try? AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) }),
            let box = try? AES.GCM.SealedBox(
                nonce: gcmNonce,
                ciphertext: record.dropLast(16),
                tag: record.suffix(16)
            ),
            let padded = try? AES.GCM.open(box, using: contentKey),
            let delimiter = padded.lastIndex(where: { $0 != 0 }), padded[delimiter] == 2
        else { return nil }
        return Array(padded[padded.startIndex..<delimiter])
    }
}
