import Foundation
import Model
import Ports
import Reasons
import Segments

/// Reads attributes and properties from the JSON text of a column directly into the segment
/// language's values, several times faster than through a JSON tree.
///
/// A string that is an ISO 8601 time is read as a time, because the API and the SDKs send times
/// that way. `null` means no value.
struct StoredValueReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The members of the JSON object in `bytes`.
    static func object(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws -> [String: AttributeValue] {
        // Most rows contain `{}`.
        guard bytes.count > 2 else { return [:] }
        var members = [String: AttributeValue](minimumCapacity: 12)
        try forEachMember(bytes) { members[$0] = $1 }
        return members
    }

    /// Checks that the bytes are a well-formed object.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        try forEachMember(of: bytes) { _, reader in _ = try reader.value() }
    }

    static func forEachMember(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (String, AttributeValue) -> Void
    ) throws {
        try forEachMember(of: bytes) { key, reader in
            if let value = try reader.value() { body(String(decoding: key, as: UTF8.self), value) }
        }
    }

    /// Calls `body` with each key and with the reader, from which `body` must read the value.
    static func forEachMember(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>, inout StoredValueReader) throws -> Void
    ) throws {
        var reader = StoredValueReader(bytes)
        reader.skipSpace()
        try reader.members(body)
    }

    private func unreadable() -> StoreError {
        StoreError(
            .unreadable,
            .valueAtByte,
            ["offset": "\(index)", "text": .text(String(decoding: bytes, as: UTF8.self))]
        )
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func members(
        _ body: (UnsafeBufferPointer<UInt8>, inout StoredValueReader) throws -> Void
    ) throws {
        guard take(UInt8(ascii: "{")) else { throw unreadable() }
        skipSpace()
        if take(UInt8(ascii: "}")) { return }
        while true {
            skipSpace()
            let key = try scannedText()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unreadable() }
            switch key {
            case .inPlace(let key): try body(key, &self)
            case .copy(let key): try key.withUnsafeBufferPointer { try body($0, &self) }
            }
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw unreadable() }
            return
        }
    }

    private mutating func members(
        depth: Int,
        _ body: (String, AttributeValue) -> Void
    ) throws {
        try members { key, reader in
            if let value = try reader.value(depth: depth + 1) {
                body(String(decoding: key, as: UTF8.self), value)
            }
        }
    }

    /// Whether the next value is a string.
    var isAtText: Bool {
        mutating get {
            skipSpace()
            return index < bytes.count && bytes[index] == UInt8(ascii: "\"")
        }
    }

    /// Reads a string, whose bytes are valid until `body` returns.
    mutating func text(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        switch try scannedText() {
        case .inPlace(let text): try body(text)
        case .copy(let text): try text.withUnsafeBufferPointer(body)
        }
    }

    /// Reads the next value; `nil` for `null`.
    mutating func value() throws -> AttributeValue? { try value(depth: 1) }

    private mutating func value(depth: Int) throws -> AttributeValue? {
        skipSpace()
        guard index < bytes.count, depth < 64 else { throw unreadable() }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            var value: AttributeValue?
            try text { text in
                value =
                    Self.time(text).map(AttributeValue.time)
                    ?? .string(String(decoding: text, as: UTF8.self))
            }
            return value
        case UInt8(ascii: "{"):
            var inner: [String: AttributeValue] = [:]
            try members(depth: depth) { inner[$0] = $1 }
            // Properties are stored as they were sent, and times may be sent in this form.
            if inner.count == 1, case .time? = inner["$time"] { return inner["$time"] }
            return .object(inner)
        case UInt8(ascii: "["):
            return .array(try elements(depth: depth))
        case UInt8(ascii: "t"):
            literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            literal("null")
            return nil
        default:
            return try number()
        }
    }

    private mutating func elements(depth: Int) throws -> [AttributeValue] {
        index += 1
        var elements: [AttributeValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            if let element = try value(depth: depth + 1) { elements.append(element) }
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw unreadable() }
            return elements
        }
    }

    /// Past the end there is nothing that could close the object, so that a cut word is found out.
    private mutating func literal(_ text: StaticString) { index += text.utf8CodeUnitCount }

    private mutating func number() throws -> AttributeValue {
        let start = index
        let isNegative = take(UInt8(ascii: "-"))
        let digitsStart = index
        var digits: Int64 = 0
        var point: Int?
        while index < bytes.count, index - digitsStart < 16 {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), point == nil {
                point = index
            } else if byte &- 0x30 < 10 {
                digits = digits * 10 + Int64(byte - 0x30)
            } else {
                break
            }
            index += 1
        }
        let isOver = index == bytes.count || !Self.isPartOfNumber(bytes[index])
        if isOver, point == nil, digits.isBeyondDouble {
            return .integer(isNegative ? -digits : digits)
        }
        if isOver, index > digitsStart, bytes[index - 1] != UInt8(ascii: ".") {
            // Both operands are exact, so the quotient is correctly rounded.
            let number = Double(digits) / Self.powersOfTen[point.map { index - $0 - 1 } ?? 0]
            return .number(isNegative ? -number : number)
        }
        while index < bytes.count, Self.isPartOfNumber(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if let integer = Int64(text), integer.isBeyondDouble { return .integer(integer) }
        guard let number = Double(text) else { throw unreadable() }
        return .number(number)
    }

    private static let powersOfTen: [Double] = (0...16).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private enum ScannedText {
        case inPlace(UnsafeBufferPointer<UInt8>)
        /// The string with its escapes decoded.
        case copy([UInt8])
    }

    private mutating func scannedText() throws -> ScannedText {
        guard take(UInt8(ascii: "\"")) else { throw unreadable() }
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return .inPlace(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            case UInt8(ascii: "\\"):
                return .copy(try unescaped(from: start))
            default:
                index += 1
            }
        }
        throw unreadable()
    }

    private mutating func unescaped(from start: Int) throws -> [UInt8] {
        var units = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return units
            case UInt8(ascii: "\\"): try escape(into: &units)
            default: units.append(byte)
            }
        }
        throw unreadable()
    }

    private mutating func escape(into units: inout [UInt8]) throws {
        guard index < bytes.count else { throw unreadable() }
        let kind = bytes[index]
        index += 1
        switch kind {
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "u"):
            var code = UInt32(try hexadecimal())
            if code & 0xFC00 == 0xD800, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                code = 0x10000 + (code & 0x3FF) << 10 + UInt32(try hexadecimal()) & 0x3FF
            }
            units.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
        default: units.append(kind)
        }
    }

    private mutating func hexadecimal() throws -> UInt16 {
        let digits = bytes.dropFirst(index).prefix(4)
        guard let code = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw unreadable()
        }
        index += digits.count
        return code
    }

    /// The Unix time of a string that is a time, in seconds. A check of two bytes rules out most
    /// other strings.
    static func time(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard (10...35).contains(text.count),
            text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-")
                || Timestamp.isAmericanDate(text),
            let date = Timestamp.parse(text)
        else { return nil }
        return Int64(date.timeIntervalSince1970.rounded(.down))
    }
}
