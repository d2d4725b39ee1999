import Foundation

/// Whole numbers one after another, in units of seven bits, the lowest first, of which all but the last of a number
/// have their highest bit set: a small number takes a byte.
struct PackedNumbers {
    // To append to `Data` takes many times as long.
    private var bytes: [UInt8] = []

    var data: Data { Data(bytes) }

    mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// A number that may be negative: small ones of both signs are small.
    mutating func append(signed value: Int64) {
        append(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var index = 0

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }

        /// `nil` at the end, and for what is no number.
        mutating func next() -> UInt64? {
            var (value, shift) = (UInt64(0), UInt64(0))
            while index < bytes.count, shift < 64 {
                let byte = bytes[index]
                index += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }

        /// One that is not negative.
        mutating func nextCount() -> Int64? { next().flatMap(Int64.init(exactly:)) }

        mutating func nextSigned() -> Int64? {
            next().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
        }
    }
}
