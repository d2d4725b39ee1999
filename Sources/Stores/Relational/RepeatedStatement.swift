import Foundation
import GRDB
import GRDBSQLite
import PostgresClient

/// A statement that writes one row after another, bound without a value object each: those cost as much as
/// the insertion.
package final class RepeatedStatement {
    private enum Source {
        case sqlite(OpaquePointer)
        case postgres(PostgresStatementText, PostgresSession)
    }

    private let source: Source
    private let database: Database
    /// What is bound on PostgreSQL, by the parameter's number less one.
    private var values: [PostgresValue]
    /// SQLite's own statement, which lives as long as this one.
    private let statement: Statement

    /// - Parameter parameters: Number of parameters.
    package init(_ database: Database, sql: String, parameters: Int) throws {
        self.database = database
        values = Array(repeating: .null, count: parameters)
        statement = try database.cachedStatement(sql: sql)
        source =
            switch statement.source {
            case .sqlite(let statement): .sqlite(statement.sqliteStatement)
            case .postgres(let text, let session): .postgres(text, session)
            }
        reset()
    }

    private func reset() {
        if case .sqlite(let pointer) = source { sqlite3_reset(pointer) }
    }

    /// - Parameter parameter: Its number, from 1.
    package func bind(_ value: Int64, to parameter: Int32) {
        switch source {
        case .sqlite(let pointer): sqlite3_bind_int64(pointer, parameter, value)
        case .postgres: values[Int(parameter) - 1] = .integer(value)
        }
    }

    /// Writes a row with the bound values and a text, or `NULL`.
    package func run(_ text: String?, as parameter: Int32) throws {
        switch source {
        case .postgres(let statement, let session):
            values[Int(parameter) - 1] = text.map(PostgresValue.text) ?? .null
            try session.execute(statement, values)
        case .sqlite(let pointer):
            guard var text else {
                sqlite3_bind_null(pointer, parameter)
                return try step(pointer)
            }
            defer { sqlite3_bind_null(pointer, parameter) }
            try text.withUTF8 { bytes in
                try bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without a destructor SQLite makes no copy; the step ends before the bytes are freed.
                    let count = CInt(characters.count)
                    sqlite3_bind_text(pointer, parameter, characters.baseAddress, count, nil)
                    try step(pointer)
                }
            }
        }
    }

    /// Writes a row with the bound values and an id.
    ///
    /// - Returns: Whether it was written.
    package func run(_ id: UUID, as parameter: Int32) throws -> Bool {
        switch source {
        case .postgres(let statement, let session):
            values[Int(parameter) - 1] = .bytes(withUnsafeBytes(of: id.uuid) { Data($0) })
            try session.execute(statement, values)
        case .sqlite(let pointer):
            try withUnsafeBytes(of: id.uuid) { bytes in
                defer { sqlite3_bind_null(pointer, parameter) }
                sqlite3_bind_blob(pointer, parameter, bytes.baseAddress, CInt(bytes.count), nil)
                try step(pointer)
            }
        }
        return try database.changesCount > 0
    }

    private func step(_ pointer: OpaquePointer) throws {
        let code = sqlite3_step(pointer)
        sqlite3_reset(pointer)
        guard code == SQLITE_DONE else {
            throw GRDB.DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }
}
