/// Push tokens one after another, each with its length in front.
///
/// A first byte below 128 counts the bytes of a lower-case hexadecimal token, which is what APNs
/// hands out. 128 means no token. Otherwise it is 129 and two bytes give the length of UTF-8 text.
struct TokenBlock: Sendable {
    private var bytes: [UInt8] = []

    private static let none: UInt8 = 128
    private static let text: UInt8 = 129

    private func end(ofTokenAt start: Int) -> Int {
        let head = bytes[start]
        if head < Self.none { return start + 1 + Int(head) }
        if head == Self.none { return start + 1 }
        return start + 3 + (Int(bytes[start + 1]) | Int(bytes[start + 2]) << 8)
    }

    /// Up to `count` tokens after the skipped ones.
    func tokens(skipping skipped: Int, count: Int) -> [String?] {
        var tokens: [String?] = []
        var position = 0
        for _ in 0..<skipped { position = end(ofTokenAt: position) }
        while tokens.count < count, position < bytes.count {
            let end = end(ofTokenAt: position)
            tokens.append(token(from: position, to: end))
            position = end
        }
        return tokens
    }

    /// A place among the tokens, for reading them in order.
    struct Cursor: Sendable {
        fileprivate var position = 0
    }

    func tokens(skipping skipped: Int, _ count: Int, _ cursor: inout Cursor) -> [String?] {
        for _ in 0..<skipped { cursor.position = end(ofTokenAt: cursor.position) }
        return (0..<count).map { _ in
            let end = end(ofTokenAt: cursor.position)
            defer { cursor.position = end }
            return token(from: cursor.position, to: end)
        }
    }

    private func token(from start: Int, to end: Int) -> String? {
        let head = bytes[start]
        if head == Self.none { return nil }
        if head == Self.text { return String(decoding: bytes[(start + 3)..<end], as: UTF8.self) }
        return String(unsafeUninitializedCapacity: Int(head) * 2) { target in
            for index in 0..<Int(head) {
                let byte = bytes[start + 1 + index]
                target[index * 2] = Self.digit(byte >> 4)
                target[index * 2 + 1] = Self.digit(byte & 15)
            }
            return Int(head) * 2
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x57 + value
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }

    mutating func replace(_ range: Range<Int>, with tokens: [String?]) {
        var start = 0
        for _ in 0..<range.lowerBound { start = end(ofTokenAt: start) }
        var end = start
        for _ in range { end = self.end(ofTokenAt: end) }
        var packed: [UInt8] = []
        for token in tokens { Self.append(token, to: &packed) }
        bytes.replaceSubrange(start..<end, with: packed)
    }

    mutating func append(_ token: String?) {
        Self.append(token, to: &bytes)
    }

    /// - Parameter token: In UTF-8.
    mutating func append(_ token: UnsafeBufferPointer<UInt8>?) {
        Self.append(token, to: &bytes)
    }

    private static func append(_ token: String?, to packed: inout [UInt8]) {
        guard var token else { return packed.append(none) }
        token.withUTF8 { append($0, to: &packed) }
    }

    private static func append(
        _ token: UnsafeBufferPointer<UInt8>?,
        to packed: inout [UInt8]
    ) {
        guard let token else { return packed.append(none) }
        let start = packed.count
        if token.count % 2 == 0, token.count / 2 < Int(none) {
            packed.append(UInt8(token.count / 2))
            var index = 0
            while index < token.count, let high = value(ofDigit: token[index]),
                let low = value(ofDigit: token[index + 1])
            {
                packed.append(high << 4 | low)
                index += 2
            }
            if index == token.count { return }
            packed.removeSubrange(start...)
        }
        let length = min(token.count, Int(UInt16.max))
        packed.append(text)
        packed.append(UInt8(truncatingIfNeeded: length))
        packed.append(UInt8(truncatingIfNeeded: length >> 8))
        packed.append(contentsOf: token.prefix(length))
    }

    mutating func compact() { bytes = bytes.withExactCapacity }

    var memory: Int { bytes.capacity }
}
