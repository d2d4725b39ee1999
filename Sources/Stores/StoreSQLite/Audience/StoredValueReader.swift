import Foundation
import Model
import Ports
import Segments

/// Reads attributes and properties from the JSON text of a column straight into the segment
/// language's values, a few times faster than by way of a tree of JSON.
///
/// A string that is a time in ISO 8601 is a time: that is how the API and the SDKs send times.
/// `null` is the same as nothing.
struct StoredValueReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The members of the object that the text is.
    static func object(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws -> [String: AttributeValue] {
        // `{}` is what most rows have.
        guard bytes.count > 2 else { return [:] }
        var members = [String: AttributeValue](minimumCapacity: 12)
        try forEachMember(bytes) { members[$0] = $1 }
        return members
    }

    static func forEachMember(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (String, AttributeValue) -> Void
    ) throws {
        var reader = StoredValueReader(bytes)
        reader.skipSpace()
        try reader.members(depth: 0, body)
    }

    private func unreadable() -> StoreError {
        StoreError(
            .unreadable,
            "a stored value is no JSON at byte \(index): \(String(decoding: bytes, as: UTF8.self))"
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
        depth: Int,
        _ body: (String, AttributeValue) -> Void
    ) throws {
        guard take(UInt8(ascii: "{")) else { throw unreadable() }
        skipSpace()
        if take(UInt8(ascii: "}")) { return }
        while true {
            skipSpace()
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unreadable() }
            if let value = try value(depth: depth + 1) { body(key, value) }
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw unreadable() }
            return
        }
    }

    private mutating func value(depth: Int) throws -> AttributeValue? {
        skipSpace()
        guard index < bytes.count, depth < 64 else { throw unreadable() }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            let start = index + 1
            let string = try string()
            return time(string, UnsafeBufferPointer(rebasing: bytes[start..<(index - 1)]))
                .map(AttributeValue.time) ?? .string(string)
        case UInt8(ascii: "{"):
            var inner: [String: AttributeValue] = [:]
            try members(depth: depth) { inner[$0] = $1 }
            // Properties are kept as they were sent, and times may be sent like this.
            if inner.count == 1, case .time? = inner["$time"] { return inner["$time"] }
            return .object(inner)
        case UInt8(ascii: "["):
            return .array(try elements(depth: depth))
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return nil
        default:
            return .number(try number())
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

    private mutating func literal(_ text: StaticString) throws {
        let end = index + text.utf8CodeUnitCount
        guard end <= bytes.count else { throw unreadable() }
        index = end
    }

    private mutating func number() throws -> Double {
        let start = index
        var integer: Int64 = 0
        let isNegative = take(UInt8(ascii: "-"))
        while index < bytes.count, case let digit = bytes[index] &- 0x30, digit < 10,
            index - start < 17
        {
            integer = integer * 10 + Int64(digit)
            index += 1
        }
        var isWhole = index > start + (isNegative ? 1 : 0)
        while index < bytes.count {
            switch bytes[index] {
            case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"):
                isWhole = false
                index += 1
                continue
            default: break
            }
            break
        }
        if isWhole { return Double(isNegative ? -integer : integer) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let number = Double(text) else { throw unreadable() }
        return number
    }

    private mutating func string() throws -> String {
        guard take(UInt8(ascii: "\"")) else { throw unreadable() }
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return String(
                    decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]),
                    as: UTF8.self
                )
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            default:
                index += 1
            }
        }
        throw unreadable()
    }

    private mutating func escapedString(from start: Int) throws -> String {
        var units = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
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
        guard index + 4 <= bytes.count,
            let code = UInt16(
                String(decoding: bytes[index..<(index + 4)], as: UTF8.self),
                radix: 16
            )
        else { throw unreadable() }
        index += 4
        return code
    }

    /// Most strings are told apart from times by one look at two bytes.
    private func time(_ string: String, _ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard (10...35).contains(text.count), text[4] == UInt8(ascii: "-"),
            text[7] == UInt8(ascii: "-"), let date = Timestamp.parse(string)
        else { return nil }
        return Int64(date.timeIntervalSince1970.rounded(.down))
    }
}
