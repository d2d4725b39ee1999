import GRDB
import GRDBSQLite
import PostgresClient

/// The rows of a query one after another, without a value object for each; in memory that does not grow
/// with them.
package final class RawCursor {
    private enum Source {
        case sqlite(GRDB.Statement)
        case postgres(PostgresRowCursor)
    }

    private let source: Source

    /// - Parameter sql: A query without parameters that both databases understand as it stands.
    package init(_ database: Database, sql: String) throws {
        source =
            switch database.engine {
            case .sqlite(let database): .sqlite(try database.makeStatement(sql: sql))
            case .postgres(let session): .postgres(try session.cursor(sql))
            }
    }

    /// The next row, which is valid until the one after it; `nil` after the last one.
    package func next() throws -> RawRows? {
        switch source {
        case .postgres(let cursor): return try cursor.next().map { RawRows(source: .postgres($0)) }
        case .sqlite(let prepared):
            let statement = prepared.sqliteStatement
            switch sqlite3_step(statement) {
            case SQLITE_ROW: return RawRows(source: .sqlite(statement))
            case SQLITE_DONE:
                sqlite3_reset(statement)
                return nil
            case let code:
                throw GRDB.DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))),
                    sql: prepared.sql
                )
            }
        }
    }
}
