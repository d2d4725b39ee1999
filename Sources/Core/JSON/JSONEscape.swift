/// The escapes in a JSON string.
enum JSONEscape {
    /// The UTF-16 unit encoded by four hexadecimal digits.
    static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Whether the escaped second half of a surrogate pair starts at `index`.
    static func isLowSurrogate(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 6 <= bytes.count && bytes[index] == UInt8(ascii: "\\")
            && bytes[index + 1] == UInt8(ascii: "u")
            && unit(bytes, at: index + 2).map { $0 & 0xFC00 == 0xDC00 } == true
    }

    /// Decodes a string whose escapes are already checked; half of a surrogate pair becomes U+FFFD.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                text.append(bytes[index])
                index += 1
                continue
            }
            let letter = bytes[index + 1]
            index += 2
            switch letter {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = UInt32(unit(bytes, at: index) ?? 0)
                index += 4
                if scalar & 0xFC00 == 0xD800, isLowSurrogate(bytes, at: index) {
                    let low = UInt32(unit(bytes, at: index + 2) ?? 0)
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
                    index += 6
                }
                text.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
            default:
                text.append(letter)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
