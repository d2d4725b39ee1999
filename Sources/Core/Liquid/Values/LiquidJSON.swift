/// JSON as template values; hashes keep the order of their members.
package enum LiquidJSON {
    /// Reads one JSON value; `depth` limits the nesting of lists and hashes.
    package static func parse(
        _ bytes: [UInt8],
        depth: Int = 100
    ) throws(LiquidError) -> LiquidValue {
        var reader = JSONReader(bytes: bytes, maxDepth: depth)
        return try reader.document()
    }

    /// Writes at most about `limit` bytes of a value.
    package static func bytes(_ value: LiquidValue, limit: Int = .max) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, limit, to: &bytes)
        return bytes
    }

    private static func append(_ value: LiquidValue, _ limit: Int, to bytes: inout [UInt8]) {
        guard bytes.count <= limit else { return }
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .int(let number): NumberFormatting.append(number, to: &bytes)
        case .big(let number): bytes.append(contentsOf: number.text.utf8)
        case .float(let number):
            if number.isFinite {
                NumberFormatting.append(number, to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
        case .string(let text): appendQuoted(text, to: &bytes)
        case .array(let elements): append(elements, limit, to: &bytes)
        case .object(let object):
            bytes.append(Byte.openBrace)
            for index in object.names.indices {
                if index > 0 { bytes.append(Byte.comma) }
                appendQuoted(object.names[index].text, to: &bytes)
                bytes.append(Byte.colon)
                append(object.values[index], limit, to: &bytes)
            }
            bytes.append(Byte.closeBrace)
        case .range(let range): appendQuoted("\(range.first)..\(range.last)", to: &bytes)
        case .time(let time): appendQuoted(time.text, to: &bytes)
        case .drop(let drop):
            if let elements = drop.elements {
                append(elements, limit, to: &bytes)
            } else {
                appendQuoted(drop.text, to: &bytes)
            }
        case .loop, .scope: bytes.append(contentsOf: "null".utf8)
        }
    }

    private static func append(
        _ elements: [LiquidValue],
        _ limit: Int,
        to bytes: inout [UInt8]
    ) {
        bytes.append(Byte.openSquare)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(Byte.comma) }
            append(element, limit, to: &bytes)
        }
        bytes.append(Byte.closeSquare)
    }

    private static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        appendEscaped(text, to: &bytes)
        bytes.append(Byte.quote)
    }

    /// Appends a text, escaped for the inside of a JSON string.
    static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case Byte.quote: bytes.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case 8: bytes.append(contentsOf: "\\b".utf8)
            case 9: bytes.append(contentsOf: "\\t".utf8)
            case 10: bytes.append(contentsOf: "\\n".utf8)
            case 12: bytes.append(contentsOf: "\\f".utf8)
            case 13: bytes.append(contentsOf: "\\r".utf8)
            case 0..<32:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Hex.small[Int(byte >> 4)])
                bytes.append(Hex.small[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    let maxDepth: Int
    var position = 0
    var depth = 0

    init(bytes: [UInt8], maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
    }

    mutating func document() throws(LiquidError) -> LiquidValue {
        let value = try value()
        skipSpaces()
        guard position == bytes.count else { throw failure(.jsonMoreText) }
        return value
    }

    private func failure(_ code: LiquidReason) -> LiquidError {
        LiquidError(.syntax, code).located(at: position, in: bytes, named: nil)
    }

    private mutating func skipSpaces() {
        while position < bytes.count, bytes[position].isWhitespace { position += 1 }
    }

    private func peek() -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard peek() == byte, position < bytes.count else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(LiquidError) -> LiquidValue {
        skipSpaces()
        switch peek() {
        case Byte.openBrace: return try object()
        case Byte.openSquare: return try array()
        case Byte.quote: return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(
        _ word: StaticString,
        _ value: LiquidValue
    ) throws(LiquidError) -> LiquidValue {
        let count = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard matches else { throw failure(.jsonValue) }
        position += count
        return value
    }

    private mutating func object() throws(LiquidError) -> LiquidValue {
        try deeper()
        defer { depth -= 1 }
        var pairs: [(name: LiquidName, value: LiquidValue)] = []
        skipSpaces()
        if accept(Byte.closeBrace) { return .object(LiquidObject(pairs)) }
        while true {
            skipSpaces()
            guard peek() == Byte.quote else { throw failure(.jsonName) }
            let name = LiquidName(try string())
            skipSpaces()
            guard accept(Byte.colon) else { throw failure(.jsonColon) }
            pairs.append((name, try value()))
            skipSpaces()
            if accept(Byte.closeBrace) { return .object(LiquidObject(pairs)) }
            guard accept(Byte.comma) else { throw failure(.jsonComma) }
        }
    }

    private mutating func array() throws(LiquidError) -> LiquidValue {
        try deeper()
        defer { depth -= 1 }
        var elements: [LiquidValue] = []
        skipSpaces()
        if accept(Byte.closeSquare) { return .array(elements) }
        while true {
            elements.append(try value())
            skipSpaces()
            if accept(Byte.closeSquare) { return .array(elements) }
            guard accept(Byte.comma) else { throw failure(.jsonComma) }
        }
    }

    private mutating func deeper() throws(LiquidError) {
        depth += 1
        guard depth <= maxDepth else { throw failure(.jsonNesting) }
        position += 1
    }

    private mutating func number() throws(LiquidError) -> LiquidValue {
        let start = position
        var isInteger = true
        while position < bytes.count {
            switch bytes[position] {
            case 48...57, Byte.dash: break
            case Byte.dot, UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
                isInteger = false
            default:
                return try number(start, isInteger)
            }
            position += 1
        }
        return try number(start, isInteger)
    }

    private func number(_ start: Int, _ isInteger: Bool) throws(LiquidError) -> LiquidValue {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let number = Int(text) { return .int(number) }
        if isInteger, Double(text) != nil { return BigInteger.number(text.utf8).value }
        guard let number = Double(text) else { throw failure(.jsonValue) }
        return .float(number)
    }

    private mutating func string() throws(LiquidError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == Byte.quote {
                position += 1
                return String(decoding: bytes[start..<position - 1], as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(start) }
            position += 1
        }
        throw failure(.jsonOpenText)
    }

    private mutating func escapedString(_ start: Int) throws(LiquidError) -> String {
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Byte.quote { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            let letter = peek()
            position += 1
            switch letter {
            case UInt8(ascii: "b"): text.append(8)
            case UInt8(ascii: "f"): text.append(12)
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "r"): text.append(13)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
            case Byte.quote, Byte.slash, UInt8(ascii: "\\"): text.append(letter)
            default: throw failure(.jsonEscape)
            }
        }
        throw failure(.jsonOpenText)
    }

    private mutating func scalar() throws(LiquidError) -> Unicode.Scalar {
        let high = try codeUnit()
        if high & 0xFC00 == 0xD800, peek() == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            let mark = position
            position += 2
            let low = try codeUnit()
            if low & 0xFC00 == 0xDC00 {
                return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
                    ?? "\u{FFFD}"
            }
            position = mark
        }
        return Unicode.Scalar(high) ?? "\u{FFFD}"
    }

    private mutating func codeUnit() throws(LiquidError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hex.value(peek()) else { throw failure(.jsonDigits) }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
