import Foundation
import GRDB
import GRDBSQLite
import Segments

/// The rows of a statement without a value object per row, for scans of millions of rows.
struct RawRows {
    private let statement: OpaquePointer

    /// Calls `body` for each row until it returns `false`.
    static func forEach(
        _ database: Database,
        sql: String,
        arguments: StatementArguments,
        _ body: (RawRows) throws -> Bool
    ) throws {
        let prepared = try database.cachedStatement(sql: sql)
        try prepared.setArguments(arguments)
        let statement = prepared.sqliteStatement
        defer { sqlite3_reset(statement) }
        let rows = RawRows(statement: statement)
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))),
                    sql: sql
                )
            }
            guard try body(rows) else { return }
        }
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(statement, column)
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func text(_ column: Int32) -> String? {
        isNull(column) ? nil : withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of the text, which are valid until it returns. `NULL` has no
    /// bytes.
    func withText<Value>(
        _ column: Int32,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value {
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

extension Int64 {
    /// Milliseconds of a time in seconds, clamped to 64 bits.
    var millisecondsFromSeconds: Int64 { multipliedSaturated(by: 1_000) }

    /// Whole seconds of a time in milliseconds, rounded down.
    var secondsFromMilliseconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
