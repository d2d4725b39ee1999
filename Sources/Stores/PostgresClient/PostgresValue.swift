import Foundation

/// A value on its way to the server or from it.
package enum PostgresValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case bytes(Data)
    /// Only a parameter: no answer is a list.
    case list(PostgresList)
}

/// The numbers that PostgreSQL's catalogue has for its types.
enum PostgresType {
    static let unspecified: UInt32 = 0
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let xid: UInt32 = 28
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let numeric: UInt32 = 1700
    static let void: UInt32 = 2278
    static let uuid: UInt32 = 2950
    static let lsn: UInt32 = 3220
    static let jsonb: UInt32 = 3802
    static let xid8: UInt32 = 5069
    /// The arrays of the types that a Swift value has.
    static let arrays: [UInt32: UInt32] = [int8: 1016, float8: 1022, text: 1009, bytes: 1001]
    /// Types whose binary form is their text: "char", name, text, json, xml, unknown, char(n), varchar(n), cstring.
    static let texts: Set<UInt32> = [18, 19, text, 114, 142, 705, 1042, 1043, 2275]
}

extension PostgresValue {
    /// The type that a parameter has at the server: that of the Swift value, and none for no value.
    var type: UInt32 {
        switch self {
        case .null: PostgresType.unspecified
        case .integer: PostgresType.int8
        case .double: PostgresType.float8
        case .text: PostgresType.text
        case .bytes: PostgresType.bytes
        case .list(let list): list.type
        }
    }

    /// Adds the binary form to bytes on their way to the server; nothing for no value.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .integer(let value):
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        case .double(let value):
            withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let value): PostgresText.append(value, to: &bytes)
        case .bytes(let value): value.withUnsafeBytes { bytes.append(contentsOf: $0) }
        case .list(let list): bytes.append(contentsOf: list.bytes)
        }
    }
}

/// The parameters of a statement in one piece of memory, as libpq wants them.
struct EncodedParameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []
    private var lengths: [Int32] = []

    var count: Int { lengths.count }

    init(_ values: [PostgresValue]) {
        guard !values.isEmpty else { return }
        bytes.reserveCapacity(values.count * 24)
        offsets.reserveCapacity(values.count)
        lengths.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            value.append(to: &bytes)
            if case .null = value { offsets.append(-1) } else { offsets.append(start) }
            lengths.append(Int32(bytes.count - start))
        }
        // An empty text needs an address too: libpq takes none for no value.
        bytes.append(0)
    }

    /// What the functions of libpq take: the values, their lengths and their formats, which are all binary.
    func withPointers<Value>(
        _ body: (LibPQ.Texts?, LibPQ.Numbers?, LibPQ.Numbers?) throws -> Value
    ) rethrows -> Value {
        guard !lengths.isEmpty else { return try body(nil, nil, nil) }
        return try bytes.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            let values = offsets.map { $0 < 0 ? nil : start?.advanced(by: $0) }
            let formats = [Int32](repeating: 1, count: lengths.count)
            return try values.withUnsafeBufferPointer { values in
                try lengths.withUnsafeBufferPointer { lengths in
                    try formats.withUnsafeBufferPointer { formats in
                        try body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
