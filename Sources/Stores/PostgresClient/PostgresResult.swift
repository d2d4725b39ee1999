import Foundation

/// The rows of a statement, decoded as they are asked for.
package final class PostgresResult {
    private let libpq: LibPQ
    private let result: OpaquePointer
    let layout: PostgresLayout
    /// How many rows there are.
    package let count: Int

    /// - Parameter layout: The columns, where an earlier result of the same statement had them.
    init(_ libpq: LibPQ, _ result: OpaquePointer, layout: PostgresLayout? = nil) {
        self.libpq = libpq
        self.result = result
        self.layout = layout ?? PostgresLayout(libpq, result)
        count = Int(libpq.rowCount(result))
    }

    deinit {
        libpq.clear(result)
    }

    /// The names of the columns; empty for a statement that answers no rows.
    package var columns: [String] { layout.columns }

    /// How many rows the statement inserted, updated or deleted, or how many it answered.
    package var affectedRows: Int {
        libpq.affectedRows(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// One row, which stays good after the others are gone.
    package subscript(_ row: Int) -> PostgresRow {
        PostgresRow(result: self, row: row)
    }

    /// A value; both numbers count from 0.
    package func value(_ row: Int, _ column: Int) -> PostgresValue {
        guard let bytes = field(row, column) else { return .null }
        return layout.decode(bytes, column)
    }

    package func isNull(_ row: Int, _ column: Int) -> Bool {
        libpq.fieldIsNull(result, Int32(row), Int32(column)) == 1
    }

    /// The bytes as the server sent them; `nil` for no value.
    func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        precondition(row >= 0 && row < count && column >= 0 && column < layout.columns.count)
        let (row, column) = (Int32(row), Int32(column))
        let length = Int(libpq.fieldLength(result, row, column))
        if length == 0, libpq.fieldIsNull(result, row, column) == 1 { return nil }
        return UnsafeRawBufferPointer(start: libpq.field(result, row, column), count: length)
    }
}

/// One row of a result.
package struct PostgresRow {
    let result: PostgresResult
    let row: Int

    package var columns: [String] { result.columns }
    /// How many columns there are.
    package var count: Int { result.layout.columns.count }

    package subscript(_ column: Int) -> PostgresValue {
        result.value(row, column)
    }

    package func isNull(_ column: Int) -> Bool {
        result.isNull(row, column)
    }

    /// Whether the column is a text, and not bytes or a number.
    package func isText(_ column: Int) -> Bool {
        if case .text = result.layout.decoders[column] { return true }
        return false
    }

    /// Calls a function with the bytes of a text or of bytes, without a copy.
    ///
    /// - Parameter body: What reads the bytes, which are good until it returns; it gets `nil` for no value and for a
    ///   value of another type.
    package func withText<Value>(
        _ column: Int,
        _ body: (UnsafeRawBufferPointer?) throws -> Value
    ) rethrows -> Value {
        guard let bytes = result.field(row, column) else { return try body(nil) }
        switch result.layout.decoders[column] {
        case .text: return try PostgresText.withPlain(bytes, body)
        case .bytes: return try body(bytes)
        default: return try body(nil)
        }
    }
}

/// The columns of a statement's rows and how each is read.
final class PostgresLayout: Sendable {
    enum Decoder: Sendable {
        case int8, int4, int2, unsigned4, boolean, float8, float4, numeric, text, bytes, uuid
        case jsonb, void
    }

    let columns: [String]
    let decoders: [Decoder]

    init(_ libpq: LibPQ, _ result: OpaquePointer) {
        let count = libpq.columnCount(result)
        columns = (0..<count).map {
            libpq.columnName(result, $0).map { String(cString: $0) } ?? ""
        }
        decoders = (0..<count).map { Self.decoder(of: libpq.columnType(result, $0)) }
    }

    /// A type that is not here is read as its bytes: a statement casts it to text.
    private static func decoder(of type: UInt32) -> Decoder {
        switch type {
        case PostgresType.int8, PostgresType.lsn, PostgresType.xid8: .int8
        case PostgresType.int4: .int4
        case PostgresType.int2: .int2
        case PostgresType.oid, PostgresType.xid: .unsigned4
        case PostgresType.boolean: .boolean
        case PostgresType.float8: .float8
        case PostgresType.float4: .float4
        case PostgresType.numeric: .numeric
        case PostgresType.uuid: .uuid
        case PostgresType.jsonb: .jsonb
        case PostgresType.void: .void
        case let type where PostgresType.texts.contains(type): .text
        default: .bytes
        }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, _ column: Int) -> PostgresValue {
        switch decoders[column] {
        case .int8: .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case .int4: .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case .int2: .integer(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case .unsigned4: .integer(Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        case .boolean: .integer(bytes[0] == 0 ? 0 : 1)
        case .float8:
            .double(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case .float4:
            .double(
                Double(
                    Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
                )
            )
        case .numeric: PostgresNumeric.value(bytes)
        case .text: .text(PostgresText.string(bytes))
        case .bytes: .bytes(Data(bytes))
        case .uuid:
            .text(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString.lowercased())
        // The first byte is the version of the format.
        case .jsonb: .text(PostgresText.string(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())))
        case .void: .null
        }
    }
}
