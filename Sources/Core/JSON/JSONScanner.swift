/// Scans a JSON text once, checks it and records the locations of its values.
struct JSONScanner {
    /// The values found in the text.
    struct Findings {
        var entries: [JSONEntry] = []
        var flaws: [JSONFlaw] = []
    }

    private(set) var findings = Findings()
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        // A typical body of events has a value or key per nine bytes.
        findings.entries.reserveCapacity(bytes.count / 9 + 8)
    }

    mutating func scan() throws(JSONError) {
        var open: [Int] = []
        skipSpace()
        repeat {
            try value(&open)
        } while try moveOn(&open)
        skipSpace()
        guard index == bytes.count else { throw error(.moreBehind) }
    }

    /// Reads a value to its end, or an array or object up to its first element.
    private mutating func value(_ open: inout [Int]) throws(JSONError) {
        guard index < bytes.count else { throw error(.noValue) }
        switch bytes[index] {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try begin(.object, &open)
        case UInt8(ascii: "["): try begin(.array, &open)
        case UInt8(ascii: "t"): try literal("true", .yes)
        case UInt8(ascii: "f"): try literal("false", .no)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: try number()
        }
    }

    private mutating func begin(_ kind: JSONEntry.Kind, _ open: inout [Int]) throws(JSONError) {
        guard open.count < JSONDocument.depthLimit else {
            throw error(.tooDeep)
        }
        open.append(findings.entries.count)
        note(kind, from: index, to: index)
        index += 1
        skipSpace()
    }

    /// Moves to the next value, past closing brackets and separators; `false` if the top-level
    /// value is complete.
    private mutating func moveOn(_ open: inout [Int]) throws(JSONError) -> Bool {
        while let container = open.last {
            let isObject = findings.entries[container].kind == .object
            let isFirst = findings.entries.count == container + 1
            skipSpace()
            guard index < bytes.count else {
                throw error(.endsInside)
            }
            let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            if bytes[index] == closing {
                index += 1
                findings.entries[container].end = UInt32(truncatingIfNeeded: index)
                findings.entries[container].next = UInt32(
                    truncatingIfNeeded: findings.entries.count
                )
                open.removeLast()
                continue
            }
            if !isFirst {
                guard take(UInt8(ascii: ",")) else {
                    throw error(.noComma)
                }
                skipSpace()
            }
            if isObject { try key() }
            return true
        }
        return false
    }

    private mutating func key() throws(JSONError) {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            throw error(.keyInQuotes)
        }
        try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw error(.noColon) }
        skipSpace()
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) {
        index += 1
        let start = index
        var kind = JSONEntry.Kind.string
        while true {
            skipPlain()
            guard index < bytes.count else { throw error(.endsInString) }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                note(kind, from: start, to: index)
                index += 1
                return
            case UInt8(ascii: "\\"):
                kind = .escapedString
                try escape()
            case 0..<0x20:
                throw error(.controlCharacter)
            default:
                try sequence()
            }
        }
    }

    /// Skips printable ASCII except quotes and backslashes, eight bytes at a time.
    private mutating func skipPlain() {
        while index + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + index)
                    .loadUnaligned(as: UInt64.self)
            )
            let quote = word ^ 0x2222_2222_2222_2222
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            // The lowest set bit belongs to the first byte of interest; higher ones may be carries.
            let found =
                (((quote &- 0x0101_0101_0101_0101) & ~quote)
                    | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
                    | ((word &- 0x2020_2020_2020_2020) & ~word) | word) & 0x8080_8080_8080_8080
            guard found == 0 else {
                index += found.trailingZeroBitCount >> 3
                return
            }
            index += 8
        }
        while index < bytes.count, case let byte = bytes[index], byte < 0x80, byte >= 0x20,
            byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
        {
            index += 1
        }
    }

    /// One character outside ASCII, as RFC 3629 allows it.
    private mutating func sequence() throws(JSONError) {
        var second: ClosedRange<UInt8> = 0x80...0xBF
        let length: Int
        switch bytes[index] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw error(.notUTF8)
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]),
            length < 3 || bytes[index + 2] & 0xC0 == 0x80,
            length < 4 || bytes[index + 3] & 0xC0 == 0x80
        else { throw error(.notUTF8) }
        index += length
    }

    private mutating func escape() throws(JSONError) {
        index += 1
        guard index < bytes.count else { throw error(.endsInString) }
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
        case UInt8(ascii: "u"):
            index += 1
            let unit = try hexadecimal()
            if unit == 0 { note(.null) }
            guard unit & 0xF800 == 0xD800 else { return }
            guard JSONEscape.isLowSurrogate(bytes, at: index), unit < 0xDC00 else {
                return note(.surrogate)
            }
            index += 6
        default:
            throw error(.unknownEscape)
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        guard let unit = JSONEscape.unit(bytes, at: index) else {
            throw error(.fourDigits)
        }
        index += 4
        return unit
    }

    // MARK: Numbers and words

    private mutating func number() throws(JSONError) {
        let start = index
        _ = take(UInt8(ascii: "-"))
        let digits = index
        skipDigits()
        guard index > digits else {
            throw error(.notAValue)
        }
        guard index - digits == 1 || bytes[digits] != UInt8(ascii: "0") else {
            throw error(.leadingZero)
        }
        var kind = JSONEntry.Kind.whole
        if take(UInt8(ascii: ".")) {
            kind = .fraction
            try requireDigits()
        }
        var mayOverflow = index - start > 300
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            kind = .fraction
            mayOverflow = true
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try requireDigits()
        }
        if mayOverflow {
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            guard let number = Double(text), number.isFinite else {
                throw JSONError(.tooLarge, offset: start)
            }
        }
        note(kind, from: start, to: index)
    }

    private mutating func skipDigits() {
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    }

    private mutating func requireDigits() throws(JSONError) {
        let start = index
        skipDigits()
        guard index > start else { throw error(.noDigit) }
    }

    private mutating func literal(
        _ word: StaticString,
        _ kind: JSONEntry.Kind
    ) throws(JSONError) {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
        else { throw error(.notAValue) }
        note(kind, from: index, to: index + length)
        index += length
    }

    // MARK: Steps

    private mutating func note(_ kind: JSONEntry.Kind, from start: Int, to end: Int) {
        findings.entries.append(
            JSONEntry(
                kind: kind,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: findings.entries.count + 1)
            )
        )
    }

    /// Records a flaw of the string being read, whose entry is added next.
    private mutating func note(_ flaw: JSONFlaw.Kind) {
        guard findings.flaws.last?.entry != findings.entries.count else { return }
        findings.flaws.append(JSONFlaw(kind: flaw, entry: findings.entries.count))
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private func error(_ code: JSONReason) -> JSONError {
        JSONError(code, offset: index)
    }
}
