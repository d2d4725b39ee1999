import GRDB
import GRDBSQLite
import PostgresClient

/// What each value of a row becomes on its way into another database.
///
/// - `row`: The row that the value is in.
/// - `column`: The column's number, from 0.
package typealias ValueConversion = (_ row: RawRows, _ column: Int, _ value: RawValue) throws ->
    RawValue

extension Database {
    /// Number of rows in one statement on PostgreSQL, which keeps the checks of foreign keys in memory until
    /// the statement ends.
    private static let portion = 100_000

    /// Writes the rows that come from another database.
    ///
    /// - Parameters:
    ///   - rows: Rows with the values of the columns first.
    ///   - convert: Gives each value the type of its column.
    ///   - onRow: Called after each row.
    package func copy(
        _ rows: RawCursor,
        into table: String,
        columns: [String],
        converting convert: ValueConversion,
        onRow: () throws -> Void
    ) throws {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        switch engine {
        case .sqlite(let database):
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            let statement = try database.makeStatement(
                sql: "INSERT INTO \"\(table)\" (\(names)) VALUES (\(marks))"
            )
            while let row = try rows.next() {
                try Self.insert(row, columns.count, with: statement, convert)
                try onRow()
            }
        case .postgres(let session):
            let sql = "COPY \"\(table)\" (\(names)) FROM STDIN (FORMAT BINARY)"
            var isDone = false
            while !isDone {
                try session.copyIn(sql) { copy in
                    while copy.rowCount < Self.portion {
                        guard let row = try rows.next() else {
                            isDone = true
                            return
                        }
                        try copy.row(columns.count)
                        for column in columns.indices {
                            try row.withValue(column) { value in
                                copy.add(try convert(row, column, value))
                            }
                        }
                        try onRow()
                    }
                }
            }
        }
    }

    private static func insert(
        _ row: RawRows,
        _ columnCount: Int,
        with prepared: GRDB.Statement,
        _ convert: ValueConversion
    ) throws {
        let statement = prepared.sqliteStatement
        for column in 0..<columnCount {
            try row.withValue(column) { value in
                bind(try convert(row, column, value), statement, Int32(column + 1))
            }
        }
        let code = sqlite3_step(statement)
        // The message is that of the step, and is gone after the reset.
        let message = code == SQLITE_DONE ? nil : sqlite3_errmsg(sqlite3_db_handle(statement))
        let words = message.map { String(cString: $0) }
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw GRDB.DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: words,
                sql: prepared.sql
            )
        }
    }

    private static func bind(_ value: RawValue, _ statement: OpaquePointer, _ parameter: Int32) {
        switch value {
        case .null: sqlite3_bind_null(statement, parameter)
        case .integer(let value): sqlite3_bind_int64(statement, parameter, value)
        case .double(let value): sqlite3_bind_double(statement, parameter, value)
        case .text(let value): bind(value, statement, parameter)
        case .string(var value):
            value.withUTF8 { bind(UnsafeRawBufferPointer($0), statement, parameter) }
        case .bytes(let value):
            // No address would be no value.
            guard let start = value.baseAddress, !value.isEmpty else {
                sqlite3_bind_zeroblob(statement, parameter, 0)
                return
            }
            sqlite3_bind_blob64(statement, parameter, start, UInt64(value.count), transient)
        }
    }

    private static func bind(
        _ text: UnsafeRawBufferPointer,
        _ statement: OpaquePointer,
        _ parameter: Int32
    ) {
        guard let start = text.bindMemory(to: CChar.self).baseAddress, !text.isEmpty else {
            sqlite3_bind_text(statement, parameter, "", 0, transient)
            return
        }
        sqlite3_bind_text(statement, parameter, start, CInt(text.count), transient)
    }

    /// SQLite makes a copy of what is bound, because the next value may take its place.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension PostgresCopy {
    fileprivate mutating func add(_ value: RawValue) {
        switch value {
        case .null: null()
        case .integer(let value): integer(value)
        case .double(let value): double(value)
        case .text(let value): text(value)
        case .string(let value): text(value)
        case .bytes(let value): bytes(value)
        }
    }
}
