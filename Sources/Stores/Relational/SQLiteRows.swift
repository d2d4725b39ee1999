import Foundation
import GRDB
import GRDBSQLite

/// The rows of a statement of SQLite one after another, read where they are.
///
/// GRDB's own rows make a table of a query's columns each time it is asked, and a value object for each
/// argument: of a short statement that is most of its cost.
@usableFromInline
final class SQLiteRows {
    @usableFromInline let statement: OpaquePointer
    /// Keeps the pointer valid.
    private let prepared: GRDB.Statement
    private var isOver = false
    private(set) lazy var columns = RowValues.Columns(
        names: (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
    )

    init(_ prepared: GRDB.Statement, _ arguments: StatementArguments) throws {
        self.prepared = prepared
        statement = prepared.sqliteStatement
        // Whoever used it last may have stopped early.
        sqlite3_reset(statement)
        try SQLiteBinding(prepared).bind(arguments)
    }

    // Others may write what the statement reads. One that was at its end may have got other arguments since.
    deinit {
        if !isOver { sqlite3_reset(statement) }
    }

    /// Goes to the next row.
    ///
    /// - Returns: `false` after the last one.
    func next() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            isOver = true
            return false
        case let code:
            isOver = true
            throw SQLiteFailure.error(code, of: prepared)
        }
    }

    /// A copy of the row.
    var values: [DatabaseValue] {
        (0..<sqlite3_column_count(statement)).map { DatabaseValue(statement, $0) }
    }

    /// Runs a statement to its end.
    static func execute(_ prepared: GRDB.Statement, _ arguments: StatementArguments) throws {
        let rows = try SQLiteRows(prepared, arguments)
        while try rows.next() {}
        // Long texts need not be kept until the next time.
        sqlite3_reset(rows.statement)
        sqlite3_clear_bindings(rows.statement)
    }

    /// Runs a statement that has a whole number for each parameter to its end.
    static func execute(_ prepared: GRDB.Statement, _ numbers: [Int64]) throws {
        let statement = prepared.sqliteStatement
        // Whoever used it last may have stopped early.
        sqlite3_reset(statement)
        for (position, number) in numbers.enumerated() {
            sqlite3_bind_int64(statement, Int32(position + 1), number)
        }
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW { code = sqlite3_step(statement) }
        guard code == SQLITE_DONE else { throw SQLiteFailure.error(code, of: prepared) }
        sqlite3_reset(statement)
    }
}

/// Binds values to the parameters of a statement.
private struct SQLiteBinding {
    /// SQLite makes a copy.
    private static let transient = unsafeBitCast(
        OpaquePointer(bitPattern: -1),
        to: sqlite3_destructor_type.self
    )

    let prepared: GRDB.Statement

    init(_ prepared: GRDB.Statement) { self.prepared = prepared }

    /// A parameter without a name gets the next value.
    func bind(_ arguments: StatementArguments) throws {
        let statement = prepared.sqliteStatement
        var rest = arguments.values[...]
        for parameter in 1..<(sqlite3_bind_parameter_count(statement) + 1) {
            if !arguments.named.isEmpty,
                let name = sqlite3_bind_parameter_name(statement, parameter),
                let value = arguments.named[String(cString: name + 1)]
            {
                bind(value, parameter)
            } else if let value = rest.popFirst() {
                bind(value, parameter)
            } else {
                throw mismatch
            }
        }
        guard rest.isEmpty else { throw mismatch }
    }

    private var mismatch: GRDB.DatabaseError {
        GRDB.DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "wrong number of arguments",
            sql: prepared.sql
        )
    }

    private func bind(_ value: DatabaseValue, _ parameter: Int32) {
        let statement = prepared.sqliteStatement
        switch value {
        case .null: sqlite3_bind_null(statement, parameter)
        case .integer(let value): sqlite3_bind_int64(statement, parameter, value)
        case .double(let value): sqlite3_bind_double(statement, parameter, value)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without an address it would be nothing instead of an empty text.
                    _ = sqlite3_bind_text(
                        statement,
                        parameter,
                        characters.baseAddress ?? UnsafePointer(bitPattern: 1),
                        CInt(characters.count),
                        Self.transient
                    )
                }
            }
        case .bytes(let data) where data.isEmpty:
            sqlite3_bind_zeroblob(statement, parameter, 0)
        case .bytes(let data):
            data.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob(
                    statement,
                    parameter,
                    bytes.baseAddress,
                    CInt(bytes.count),
                    Self.transient
                )
            }
        }
    }
}

enum SQLiteFailure {
    /// What a statement's step has failed with. It can be used again.
    static func error(_ code: CInt, of prepared: GRDB.Statement) -> any Error {
        let statement = prepared.sqliteStatement
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
        sqlite3_reset(statement)
        let error = GRDB.DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: message,
            sql: prepared.sql
        )
        // Nobody else interrupts than the end of the task that reads or writes.
        return error.resultCode == .SQLITE_INTERRUPT ? CancellationError() : error
    }
}

extension DatabaseValue {
    /// The value of a column where a statement stands.
    init(_ statement: OpaquePointer, _ column: Int32) {
        self =
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
            case SQLITE_FLOAT: .double(sqlite3_column_double(statement, column))
            case SQLITE_TEXT: .text(Self.text(statement, column))
            case SQLITE_BLOB: .bytes(Self.bytes(statement, column))
            default: .null
            }
    }

    fileprivate static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    fileprivate static func bytes(_ statement: OpaquePointer, _ column: Int32) -> Data {
        guard let start = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}

extension DatabaseValueConvertible {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> Self? {
        optional(DatabaseValue(statement, column), "column \(column)")
    }

    /// The value of a column that always has one.
    static func required(_ rows: SQLiteRows, _ column: Int32) -> Self {
        // Only a value of either kind can hold nothing.
        value(rows.statement, column)
            ?? required(.null, "column \(rows.columns.names[Int(column)])")
    }

    /// What `read` reads, without a value in between; `nil` for `NULL`.
    fileprivate static func value(
        _ statement: OpaquePointer,
        _ column: Int32,
        _ read: (OpaquePointer, Int32) -> Self?
    ) -> Self? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : read(statement, column)
    }
}

extension Int64 {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> Int64? {
        value(statement, column, sqlite3_column_int64)
    }
}

extension Int {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> Int? {
        value(statement, column) { Int(exactly: sqlite3_column_int64($0, $1)) }
    }
}

extension Bool {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> Bool? {
        value(statement, column) { sqlite3_column_int64($0, $1) != 0 }
    }
}

extension Double {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> Double? {
        value(statement, column, sqlite3_column_double)
    }
}

extension UUID {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> UUID? {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB,
            sqlite3_column_bytes(statement, column) == 16,
            let start = sqlite3_column_blob(statement, column)
        else { return optional(DatabaseValue(statement, column), "column \(column)") }
        return UUID(uuid: start.loadUnaligned(as: uuid_t.self))
    }
}

extension String {
    package static func value(_ statement: OpaquePointer, _ column: Int32) -> String? {
        value(statement, column, DatabaseValue.text)
    }
}
