/// Writes a gzip file piece by piece, without packing (RFC 1951, section 3.2.4; RFC 1952).
struct GzipWriter {
    /// Maximum number of bytes in a stored block.
    private static let blockLimit = 65_535

    private var checksum = CRC32()
    private var size: UInt32 = 0

    /// The header of the file.
    func begin() -> [UInt8] { [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] }

    /// Adds a piece of content and returns the bytes to write.
    mutating func add(_ content: [UInt8]) -> [UInt8] {
        checksum.add(content)
        size &+= UInt32(truncatingIfNeeded: content.count)
        var bytes: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            let block = rest.prefix(Self.blockLimit)
            bytes += Self.header(block.count, isLast: false) + block
            rest = rest.dropFirst(Self.blockLimit)
        }
        return bytes
    }

    /// The trailer of the file.
    func finish() -> [UInt8] {
        Self.header(0, isLast: true) + Self.bytes(checksum.value) + Self.bytes(size)
    }

    private static func header(_ count: Int, isLast: Bool) -> [UInt8] {
        let length = UInt16(count)
        return [
            isLast ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255),
            UInt8(~length >> 8),
        ]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
