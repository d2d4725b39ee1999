/// The checksum of a stored record: CRC-32 with the polynomial of ISO 3309, as in gzip (RFC 1952).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    /// The checksum of `bytes`.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var value: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8)
            }
            return value ^ 0xFFFF_FFFF
        }
    }
}
