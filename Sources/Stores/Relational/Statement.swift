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
        case .sqlite(let statement): try statement.execute(arguments: arguments.forSQLite)
        case .postgres(let text, let session): try session.execute(text, arguments)
        }
    }
}

/// The rows of a query one after another.
package final class RowCursor {
    private enum Source {
        case sqlite(GRDB.RowCursor)
        case postgres(PostgresRows)
    }

    private let source: Source

    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        source =
            switch statement.source {
            case .sqlite(let statement):
                .sqlite(try GRDB.Row.fetchCursor(statement, arguments: arguments.forSQLite))
            case .postgres(let text, let session):
                .postgres(try session.rows(text, arguments))
            }
    }

    package func next() throws -> Row? {
        switch source {
        case .sqlite(let cursor): try cursor.next().map { Row(source: .sqlite($0)) }
        case .postgres(let rows): rows.next().map { Row(source: .postgres($0)) }
        }
    }
}
