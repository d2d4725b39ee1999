import Foundation

/// Which key encrypts the secrets of a database: all servers and commands that work on it have the same one.
package protocol SecretKeyStore: Sendable {
    /// The fingerprint of the key; `nil` before a server has said it.
    func keyFingerprint() async throws -> Data?

    /// Keeps a fingerprint, unless another server has kept one instead of the former meanwhile.
    ///
    /// - Parameter former: What the caller has read.
    /// - Returns: What is kept now.
    func keepKeyFingerprint(_ fingerprint: Data, insteadOf former: Data?) async throws -> Data

    /// The different beginnings of all encrypted values, so many bytes of each.
    func headsOfSecrets(length: Int) async throws -> [Data]
}
