import Foundation
import GRDBSQLite
import PostgresClient

/// The rows of a statement without a value object per row, for scans of millions of rows.
package struct RawRows {
    enum Source {
        case sqlite(OpaquePointer)
        case postgres(PostgresRow)
    }

    let source: Source

    /// Calls `body` for each row until it returns `false`; `body` runs no other statement.
    package static func forEach(
        _ database: Database,
        sql: String,
        arguments: StatementArguments,
        _ body: (RawRows) throws -> Bool
    ) throws {
        let prepared = try database.cachedStatement(sql: sql)
        switch prepared.source {
        case .postgres(let text, let session):
            try session.forEachRow(text, arguments) { try body(RawRows(source: .postgres($0))) }
        case .sqlite(let prepared):
            let rows = try SQLiteRows(prepared, arguments)
            let row = RawRows(source: .sqlite(rows.statement))
            while try rows.next() { guard try body(row) else { return } }
        }
    }

    package func integer(_ column: Int32) -> Int64 {
        switch source {
        case .sqlite(let statement): sqlite3_column_int64(statement, column)
        case .postgres(let row): Self.integer(row, column) ?? 0
        }
    }

    package func optionalInteger(_ column: Int32) -> Int64? {
        switch source {
        case .sqlite(let statement):
            isNull(column) ? nil : sqlite3_column_int64(statement, column)
        case .postgres(let row): Self.integer(row, column)
        }
    }

    private static func integer(_ row: PostgresRow, _ column: Int32) -> Int64? {
        guard case .integer(let value) = row[Int(column)] else { return nil }
        return value
    }

    package func isNull(_ column: Int32) -> Bool {
        switch source {
        case .sqlite(let statement): sqlite3_column_type(statement, column) == SQLITE_NULL
        case .postgres(let row): row[Int(column)] == .null
        }
    }

    package func text(_ column: Int32) -> String? {
        isNull(column) ? nil : withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of the text, which are valid until it returns. A whole number's are its
    /// digits; `NULL` has no bytes.
    package func withText<Value>(
        _ column: Int32,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value {
        switch source {
        case .sqlite(let statement):
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
        case .postgres(let row):
            if let number = Self.integer(row, column) {
                var digits = String(number)
                return try digits.withUTF8(body)
            }
            return try row.withText(Int(column)) { bytes in
                try body(
                    bytes?.bindMemory(to: UInt8.self) ?? UnsafeBufferPointer(start: nil, count: 0)
                )
            }
        }
    }

    /// Calls `body` with the value as it is stored.
    package func withValue<Value>(
        _ column: Int,
        _ body: (RawValue) throws -> Value
    ) rethrows -> Value {
        switch source {
        case .sqlite(let statement):
            let column = Int32(column)
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: return try body(.integer(sqlite3_column_int64(statement, column)))
            case SQLITE_FLOAT: return try body(.double(sqlite3_column_double(statement, column)))
            case SQLITE_TEXT:
                let start = sqlite3_column_text(statement, column)
                let count = Int(sqlite3_column_bytes(statement, column))
                return try body(.text(UnsafeRawBufferPointer(start: start, count: count)))
            case SQLITE_BLOB:
                let start = sqlite3_column_blob(statement, column)
                let count = Int(sqlite3_column_bytes(statement, column))
                return try body(.bytes(UnsafeRawBufferPointer(start: start, count: count)))
            default: return try body(.null)
            }
        case .postgres(let row):
            if row.isNull(column) { return try body(.null) }
            return try row.withText(column) { bytes in
                guard let bytes else { return try body(RawValue(number: row[column])) }
                return try body(row.isText(column) ? .text(bytes) : .bytes(bytes))
            }
        }
    }
}
