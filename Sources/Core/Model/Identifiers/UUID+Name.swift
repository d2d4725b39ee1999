import Crypto
import Foundation

extension UUID {
    /// A name-based UUID (RFC 9562, version 8, SHA-256): whoever knows the name arrives at the same one.
    package init(named name: some Collection<UInt8>) {
        var bytes = SHA256.hash(data: Array(name)).withUnsafeBytes {
            $0.loadUnaligned(as: uuid_t.self)
        }
        bytes.6 = bytes.6 & 0x0F | 0x80
        bytes.8 = bytes.8 & 0x3F | 0x80
        self = UUID(uuid: bytes)
    }
}
