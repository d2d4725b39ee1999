import Crypto
import CryptoExtras
import Foundation

/// The secret key of a server, encrypted with a passphrase: scrypt (RFC 7914) makes the key of
/// AES-256-GCM from it. A backup without it cannot open its credentials.
struct SealedKey: Codable, Sendable {
    /// Passphrases are used rarely and kept for years.
    static let shortestPassphrase = 12

    private static let rounds = 1 << 16
    private static let blockSize = 8
    private static let parallelism = 1
    /// What a file may ask for at most, so that a changed one cannot exhaust the machine.
    private static let roundsLimit = 1 << 20

    private let salt: Data
    private let rounds: Int
    private let box: Data

    init(
        _ key: Data,
        passphrase: String,
        random: @Sendable (Int) -> [UInt8],
        rounds: Int = Self.rounds
    ) throws {
        let salt = Data(random(16))
        let derived = try Self.derive(passphrase, salt, rounds)
        self.salt = salt
        self.rounds = rounds
        let sealed = try AES.GCM.seal(key, using: derived, nonce: AES.GCM.Nonce(data: random(12)))
        box = Data(sealed.nonce) + sealed.ciphertext + sealed.tag
    }

    /// - Throws: `BackupError.wrongPassphrase`, also for a changed file.
    func open(passphrase: String) throws -> Data {
        guard rounds > 1, rounds <= Self.roundsLimit, rounds & (rounds - 1) == 0 else {
            throw BackupError.damaged(BackupFolder.keyFile, "asks for \(rounds) rounds of scrypt")
        }
        let derived = try Self.derive(passphrase, salt, rounds)
        do {
            return try AES.GCM.open(AES.GCM.SealedBox(combined: box), using: derived)
        } catch {
            throw BackupError.wrongPassphrase
        }
    }

    private static func derive(
        _ passphrase: String,
        _ salt: Data,
        _ rounds: Int
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Data(passphrase.utf8),
            salt: salt,
            outputByteCount: 32,
            rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism,
            maxMemory: 2 << 30
        )
    }
}
