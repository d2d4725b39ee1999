import Crypto
import Foundation

/// The `aes128gcm` content encoding (RFC 8188).
package enum EncryptedContent {
    private static let tagSize = 16
    private static let fixedHeaderSize = 21

    /// Encrypts content into records.
    ///
    /// - Parameters:
    ///   - inputKey: the input keying material.
    ///   - salt: 16 bytes, different for every content under the same key.
    ///   - recordSize: 18 or more, including the tag of 16 bytes.
    ///   - keyID: at most 255 bytes.
    package static func encrypt(
        _ content: [UInt8],
        inputKey: [UInt8],
        salt: [UInt8],
        recordSize: Int = 4096,
        keyID: [UInt8] = []
    ) throws -> [UInt8] {
        precondition(salt.count == 16, "the salt must have 16 bytes")
        precondition(recordSize >= 18, "a record has at least 18 bytes")
        precondition(keyID.count < 256, "a key id has at most 255 bytes")
        let (key, nonce) = derive(inputKey: inputKey, salt: salt)
        let perRecord = recordSize - tagSize - 1
        var output: [UInt8] = []
        output.reserveCapacity(fixedHeaderSize + keyID.count + content.count + 64)
        output += salt
        for shift in [24, 16, 8, 0] { output.append(UInt8(recordSize >> shift & 0xff)) }
        output.append(UInt8(keyID.count))
        output += keyID
        var start = 0
        var number: UInt64 = 0
        repeat {
            let end = min(start + perRecord, content.count)
            let isLast = end == content.count
            var record = Array(content[start..<end])
            record.append(isLast ? 2 : 1)
            let box = try AES.GCM.seal(
                record,
                using: key,
                nonce: AES.GCM.Nonce(data: Self.nonce(nonce, record: number))
            )
            output += box.ciphertext
            output += box.tag
            start = end
            number += 1
        } while start < content.count
        return output
    }

    /// Encrypts content that fits one record of 4096 bytes, as every push does.
    static func encryptRecord(
        _ content: [UInt8],
        inputKey: SymmetricKey,
        salt: [UInt8],
        keyID: [UInt8]
    ) throws -> [UInt8] {
        let recordSize = 4096
        precondition(content.count < recordSize - tagSize, "the content exceeds one record")
        let secret = inputKey.withUnsafeBytes { inputKey in
            salt.withUnsafeBytes { ShortKeyHMAC.code(of: inputKey, key: $0) }
        }
        let (key, nonce) = secret.withUnsafeBytes { secret in
            (
                keyInfo.withUnsafeBytes { ShortKeyHMAC.code(of: $0, key: secret) },
                nonceInfo.withUnsafeBytes { ShortKeyHMAC.code(of: $0, key: secret) }
            )
        }
        var record: [UInt8] = []
        record.reserveCapacity(content.count + 1)
        record += content
        record.append(2)
        let box = try AES.GCM.seal(
            record,
            using: key.withUnsafeBytes { SymmetricKey(data: $0.prefix(16)) },
            nonce: nonce.withUnsafeBytes { try AES.GCM.Nonce(data: $0.prefix(12)) }
        )
        var output: [UInt8] = []
        output.reserveCapacity(fixedHeaderSize + keyID.count + record.count + tagSize)
        output += salt
        for shift in [24, 16, 8, 0] { output.append(UInt8(recordSize >> shift & 0xff)) }
        output.append(UInt8(keyID.count))
        output += keyID
        box.ciphertext.withUnsafeBytes { output += $0 }
        box.tag.withUnsafeBytes { output += $0 }
        return output
    }

    /// Decrypts content; `nil` if it is damaged or was encrypted with another key.
    ///
    /// - Parameter inputKey: Returns the input keying material for the header's key id.
    package static func decrypt(
        _ body: [UInt8],
        inputKey: (_ keyID: [UInt8]) -> [UInt8]?
    ) -> [UInt8]? {
        guard body.count >= fixedHeaderSize else { return nil }
        let salt = Array(body[0..<16])
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let headerSize = fixedHeaderSize + Int(body[20])
        guard recordSize >= 18, body.count >= headerSize,
            let material = inputKey(Array(body[fixedHeaderSize..<headerSize]))
        else { return nil }
        let (key, nonce) = derive(inputKey: material, salt: salt)
        var content: [UInt8] = []
        var start = headerSize
        var number: UInt64 = 0
        while start < body.count {
            let end = min(start + recordSize, body.count)
            guard end - start > tagSize,
                let gcmNonce = try? AES.GCM.Nonce(data: Self.nonce(nonce, record: number)),
                let box = try? AES.GCM.SealedBox(
                    nonce: gcmNonce,
                    ciphertext: body[start..<(end - tagSize)],
                    tag: body[(end - tagSize)..<end]
                ),
                let record = try? AES.GCM.open(box, using: key),
                let delimiter = record.lastIndex(where: { $0 != 0 }),
                record[delimiter] == (end == body.count ? 2 : 1)
            else { return nil }
            content += record[record.startIndex..<delimiter]
            start = end
            number += 1
        }
        return number > 0 ? content : nil
    }

    private static let keyInfo = Array("Content-Encoding: aes128gcm".utf8) + [0, 1]
    private static let nonceInfo = Array("Content-Encoding: nonce".utf8) + [0, 1]

    /// The content encryption key and the base of the nonces.
    static func derive(inputKey: [UInt8], salt: [UInt8]) -> (key: SymmetricKey, nonce: [UInt8]) {
        let secret = HMAC<SHA256>.authenticationCode(
            for: inputKey,
            using: SymmetricKey(data: salt)
        )
        let secretKey = SymmetricKey(data: secret)
        let key = HMAC<SHA256>.authenticationCode(for: keyInfo, using: secretKey)
        let nonce = HMAC<SHA256>.authenticationCode(for: nonceInfo, using: secretKey)
        return (SymmetricKey(data: Array(key.prefix(16))), Array(nonce.prefix(12)))
    }

    /// The base with the record's number mixed into its end.
    private static func nonce(_ base: [UInt8], record: UInt64) -> [UInt8] {
        guard record > 0 else { return base }
        var nonce = base
        for index in 0..<8 {
            nonce[11 - index] ^= UInt8(truncatingIfNeeded: record >> (8 * UInt64(index)))
        }
        return nonce
    }
}
