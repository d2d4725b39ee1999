import Crypto
import Glibc

/// HMAC-SHA256 (RFC 2104) with keys that are no longer than a block of the hash, as all of RFC 8188
/// and RFC 8291 are. A push needs five; the library's, with some ten objects each, would cost more
/// than all the rest of its encryption.
enum ShortKeyHMAC {
    static func code(
        of message: UnsafeRawBufferPointer,
        key: UnsafeRawBufferPointer
    ) -> SHA256.Digest {
        let blockSize = SHA256.blockByteCount
        precondition(key.count <= blockSize, "a longer key would have to be hashed first")
        let size = blockSize + max(message.count, SHA256.Digest.byteCount)
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            defer { if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) } }
            for index in 0..<blockSize {
                buffer[index] = (index < key.count ? key[index] : 0) ^ 0x36
            }
            buffer[blockSize...].copyBytes(from: message)
            let inner = hash(buffer[..<(blockSize + message.count)])
            for index in 0..<blockSize { buffer[index] ^= 0x36 ^ 0x5c }
            inner.withUnsafeBytes { buffer[blockSize...].copyBytes(from: $0) }
            return hash(buffer[..<(blockSize + SHA256.Digest.byteCount)])
        }
    }

    private static func hash(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> SHA256.Digest {
        var hash = SHA256()
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes))
        return hash.finalize()
    }
}
