import Crypto

/// A key pair of the server for message encryption.
package struct WebPushKeyPair: Sendable {
    let privateKey: P256.KeyAgreement.PrivateKey
    /// The point, uncompressed.
    let publicKey: [UInt8]

    init(_ privateKey: P256.KeyAgreement.PrivateKey) {
        self.privateKey = privateKey
        publicKey = Array(privateKey.publicKey.x963Representation)
    }

    /// A new pair from 32 random bytes. The library's own way also signs and verifies with each new
    /// key (a FIPS rule), which costs more than the agreement that the key is made for.
    init() throws {
        for _ in 0..<10 {
            let bytes = SecureRandom.bytes(32)
            // Fails for numbers that exceed the group's order, one in four billion.
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes) {
                self.init(key)
                return
            }
        }
        self.init(P256.KeyAgreement.PrivateKey())
    }
}
