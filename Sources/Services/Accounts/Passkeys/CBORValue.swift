import Foundation

/// The values of CBOR (RFC 8949) that authenticators send.
package enum CBORValue: Sendable, Hashable {
    case integer(Int64)
    case bytes(Data)
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case boolean(Bool)
    case null

    package subscript(_ key: Int64) -> CBORValue? { self[.integer(key)] }
    package subscript(_ key: String) -> CBORValue? { self[.text(key)] }

    private subscript(_ key: CBORValue) -> CBORValue? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    var bytes: Data? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// Why bytes are no CBOR of ours.
package enum CBORError: Error, Sendable, Hashable {
    case tooLong, tooDeep, cutOff, unknownKind, tooLarge, noText, repeatedKey
}

/// Reads CBOR of strangers: definite lengths only, with limits, and never more than is there.
package struct CBORReader {
    /// Maximum length of the input, in bytes.
    package static let lengthLimit = 16_384
    private static let depthLimit = 8

    private let bytes: [UInt8]
    /// The position of the next byte to read.
    package private(set) var position = 0

    package init(_ data: some Sequence<UInt8>) throws(CBORError) {
        bytes = Array(data.prefix(Self.lengthLimit + 1))
        guard bytes.count <= Self.lengthLimit else { throw .tooLong }
    }

    /// Whether everything was read.
    package var isAtEnd: Bool { position == bytes.count }

    package mutating func value() throws(CBORError) -> CBORValue { try value(depth: 0) }

    private mutating func value(depth: Int) throws(CBORError) -> CBORValue {
        guard depth < Self.depthLimit else { throw .tooDeep }
        let head = try next(1).first ?? 0
        let kind = head >> 5
        if kind == 7 {
            switch head & 31 {
            case 20: return .boolean(false)
            case 21: return .boolean(true)
            case 22: return .null
            default: throw .unknownKind
            }
        }
        let argument = try argument(head & 31)
        switch kind {
        case 0: return .integer(argument)
        case 1: return .integer(-1 - argument)
        case 2: return .bytes(Data(try next(argument)))
        case 3:
            guard let text = String(validating: try next(argument), as: UTF8.self) else {
                throw .noText
            }
            return .text(text)
        case 4:
            var items: [CBORValue] = []
            // Each needs at least a byte.
            guard argument <= bytes.count - position else { throw .cutOff }
            for _ in 0..<argument { items.append(try value(depth: depth + 1)) }
            return .array(items)
        case 5:
            var members: [CBORValue: CBORValue] = [:]
            guard argument <= (bytes.count - position) / 2 else { throw .cutOff }
            for _ in 0..<argument {
                let key = try value(depth: depth + 1)
                guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                    throw .repeatedKey
                }
            }
            return .map(members)
        default: throw .unknownKind
        }
    }

    /// A number or length of at most 63 bits.
    private mutating func argument(_ information: UInt8) throws(CBORError) -> Int64 {
        let count: Int
        switch information {
        case 0..<24: return Int64(information)
        case 24: count = 1
        case 25: count = 2
        case 26: count = 4
        case 27: count = 8
        default: throw .unknownKind
        }
        let number = try next(Int64(count)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= UInt64(Int64.max) else { throw .tooLarge }
        return Int64(number)
    }

    private mutating func next(_ count: Int64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .cutOff }
        let end = position + Int(count)
        defer { position = end }
        return bytes[position..<end]
    }
}
