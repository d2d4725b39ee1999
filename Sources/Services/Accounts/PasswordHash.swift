import Crypto
import Foundation
import _CryptoExtras

/// Passwords as scrypt hashes (RFC 7914): `scrypt$N$r$p$salt$hash`, salt and hash in base64.
enum PasswordHash {
    /// 2^15 rounds of 8 KiB: 32 MiB and some tens of milliseconds for each guess.
    static let rounds = 32_768
    private static let blockSize = 8
    private static let parallelism = 1
    private static let length = 32

    static func make(_ password: String, salt: [UInt8], rounds: Int = rounds) throws -> String {
        let hash = try derive(password, salt: salt, rounds, blockSize, parallelism)
        return [
            "scrypt", "\(rounds)", "\(blockSize)", "\(parallelism)",
            Data(salt).base64EncodedString(), hash.base64EncodedString(),
        ].joined(separator: "$")
    }

    static func matches(_ password: String, _ stored: String) throws -> Bool {
        let parts = stored.split(separator: "$").map(String.init)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]),
            let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
            let salt = Data(base64Encoded: parts[4]), let hash = Data(base64Encoded: parts[5])
        else { return false }
        let derived = try derive(password, salt: Array(salt), rounds, blockSize, parallelism)
        // Compares in constant time: all bytes, not only up to the first difference.
        return derived.count == hash.count
            && zip(derived, hash).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func derive(
        _ password: String,
        salt: [UInt8],
        _ rounds: Int,
        _ blockSize: Int,
        _ parallelism: Int
    ) throws -> Data {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: salt,
            outputByteCount: length,
            rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism,
            maxMemory: 256 * 1024 * 1024
        )
        return key.withUnsafeBytes { Data($0) }
    }
}
