import Foundation
import NoroshiWire

/// What is wrong with a JSON text, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package var message: String
    /// Bytes from the beginning.
    package var offset: Int

    package var description: String { "\(message) at byte \(offset)" }
}

/// Reads JSON (RFC 8259) from bytes: what a stranger sends, so depth and form are checked.
package struct JSONReader {
    /// The deepest nesting of arrays and objects.
    package static let depthLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// Reads one value; anything but white space behind it is an error.
    package static func read(_ data: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        let result: Result<JSONValue, JSONError>? = data.withContiguousStorageIfAvailable {
            readBuffer($0)
        }
        if let result { return try result.get() }
        return try Array(data).withUnsafeBufferPointer { readBuffer($0) }.get()
    }

    private static func readBuffer(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) -> Result<JSONValue, JSONError> {
        var reader = JSONReader(bytes: buffer)
        do throws(JSONError) {
            let value = try reader.value(depth: 0)
            reader.skipSpace()
            guard reader.index == buffer.count else {
                throw reader.error("there is more behind the value")
            }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private func error(_ message: String) -> JSONError {
        JSONError(message: message, offset: index)
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.depthLimit else {
            throw error("the value is nested deeper than \(Self.depthLimit) levels")
        }
        skipSpace()
        guard index < bytes.count else { throw error("the text ends where a value should begin") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        index += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw error("an object's key must be a string in double quotes")
            }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon must follow a key") }
            members[key] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            if take(UInt8(ascii: "}")) { return .object(members) }
            throw error("a comma or a closing brace is missing")
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            if take(UInt8(ascii: "]")) { return .array(elements) }
            throw error("a comma or a closing bracket is missing")
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func literal(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
        else { throw error("this is no JSON value; strings need double quotes") }
        index += length
        return value
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let text = try utf8(start, index)
                index += 1
                return text
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw error("a control character in a string must be escaped")
            default:
                index += 1
            }
        }
        throw error("the text ends inside a string")
    }

    private func utf8(_ start: Int, _ end: Int) throws(JSONError) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<end])
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw JSONError(message: "a string is not valid UTF-8", offset: start)
        }
        return text
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw JSONError(message: "a string is not valid UTF-8", offset: start)
                }
                return result
            case UInt8(ascii: "\\"):
                try escape(into: &text)
            case 0..<0x20:
                throw error("a control character in a string must be escaped")
            default:
                text.append(byte)
            }
        }
        throw error("the text ends inside a string")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard index < bytes.count else { throw error("the text ends inside a string") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try hexadecimal()
            if (0xD800..<0xDC00).contains(scalar) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                    throw error("half of a surrogate pair is missing")
                }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else {
                    throw error("half of a surrogate pair is missing")
                }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let character = Unicode.Scalar(scalar) else {
                throw error("half of a surrogate pair is missing")
            }
            text.append(contentsOf: Array(String(character).utf8))
        default:
            throw error("this escape is unknown in JSON")
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        guard index + 4 <= bytes.count else { throw error("\\u needs four hexadecimal digits") }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("\\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        var isWhole = true
        var magnitude: UInt64 = 0
        var overflows = false
        let isNegative = take(UInt8(ascii: "-"))
        let digits = index
        while index < bytes.count, case let digit = bytes[index], (48...57).contains(digit) {
            let (product, first) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.addingReportingOverflow(UInt64(digit - 48))
            magnitude = sum
            overflows = overflows || first || second
            index += 1
        }
        guard index > digits else { throw error("this is no JSON value") }
        guard index - digits == 1 || bytes[digits] != 48 else {
            throw error("a number may not begin with a zero")
        }
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try requireDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try requireDigits()
        }
        if isWhole, !overflows {
            if !isNegative, magnitude <= UInt64(Int64.max) { return .integer(Int64(magnitude)) }
            if isNegative, magnitude <= UInt64(Int64.max) { return .integer(-Int64(magnitude)) }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw error("this number is too large")
        }
        return .number(value)
    }

    private mutating func requireDigits() throws(JSONError) {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        guard index > start else { throw error("a digit is missing") }
    }
}
