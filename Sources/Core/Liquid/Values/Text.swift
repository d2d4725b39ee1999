extension String {
    func hasSameBytes(as other: String) -> Bool {
        let left = utf8
        let right = other.utf8
        guard left.count == right.count else { return false }
        return left.elementsEqual(right)
    }

    /// Negative, zero or positive, by comparison of the bytes.
    func byteOrder(to other: String) -> Int {
        if utf8.lexicographicallyPrecedes(other.utf8) { return -1 }
        return hasSameBytes(as: other) ? 0 : 1
    }
}

enum UTF8Text {
    static func isValid(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return true }
        return String(validating: bytes, as: UTF8.self) != nil
    }
}

/// Searches text by its bytes, in time proportional to its length for every pattern.
enum ByteSearch {
    /// Up to this length patterns are compared position by position.
    private static let shortPart = 16

    static func contains(_ text: String, _ part: String) -> Bool {
        first(of: Array(part.utf8), in: Array(text.utf8), from: 0) != nil
    }

    static func first(of part: [UInt8], in text: [UInt8], from: Int) -> Int? {
        guard let head = part.first else { return from <= text.count ? from : nil }
        if part.count > shortPart { return knuthMorrisPratt(part, text, from) }
        var index = from
        while index <= text.count - part.count {
            if text[index] == head, matches(part, text, index) { return index }
            index += 1
        }
        return nil
    }

    static func last(of part: [UInt8], in text: [UInt8]) -> Int? {
        first(of: part.reversed(), in: text.reversed(), from: 0).map {
            text.count - $0 - part.count
        }
    }

    private static func matches(_ part: [UInt8], _ text: [UInt8], _ index: Int) -> Bool {
        for offset in part.indices where text[index + offset] != part[offset] { return false }
        return true
    }

    /// Never reads a byte of the text twice.
    private static func knuthMorrisPratt(
        _ part: [UInt8],
        _ text: [UInt8],
        _ from: Int
    ) -> Int? {
        guard text.count - from >= part.count else { return nil }
        // For each position, the length of the longest prefix of the pattern that ends there.
        var borders = [0]
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, part[length] != byte { length = borders[length - 1] }
            if part[length] == byte { length += 1 }
            borders.append(length)
        }
        length = 0
        for index in from..<text.count {
            while length > 0, part[length] != text[index] { length = borders[length - 1] }
            if part[length] == text[index] { length += 1 }
            if length == part.count { return index - part.count + 1 }
        }
        return nil
    }
}
