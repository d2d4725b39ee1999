import GRDB

/// A statement of one connection.
package struct Statement {
    enum Source {
        case sqlite(GRDB.Statement)
        case postgres(PostgresStatementText, PostgresSession)
    }

    let source: Source

    package var sql: String {
        switch source {
        case .sqlite(let statement): statement.sql
        case .postgres(let text, _): text.sql
        }
    }

    package func execute(arguments: StatementArguments = StatementArguments()) throws {
        switch source {
        case .sqlite(let statement): try SQLiteRows.execute(statement, arguments)
        case .postgres(let text, let session): try session.execute(text, arguments)
        }
    }
}

/// The rows of a query one after another.
package final class RowCursor {
    private enum Source {
        case sqlite(SQLiteRows)
        case postgres(PostgresRows)
    }

    private let source: Source

    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        source =
            switch statement.source {
            case .sqlite(let statement): .sqlite(try SQLiteRows(statement, arguments))
            case .postgres(let text, let session): .postgres(try session.rows(text, arguments))
            }
    }

    package func next() throws -> Row? {
        switch source {
        case .sqlite(let rows): try rows.next() ? Row(source: .sqlite(rows)) : nil
        case .postgres(let rows): rows.next().map { Row(source: .values($0)) }
        }
    }
}
