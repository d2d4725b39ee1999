import GRDB
import PostgresClient

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

    /// How many statements one trip has at the most.
    private static let tripLimit = 500

    /// Runs it for each list of values, many of them in one trip to the server.
    ///
    /// - Returns: For each list the number of rows that were written.
    package func executeEach(_ lists: [StatementArguments], in database: Database) throws -> [Int] {
        switch source {
        case .sqlite(let statement):
            return try lists.map { arguments in
                try SQLiteRows.execute(statement, arguments)
                return try database.changesCount
            }
        case .postgres(let text, let session):
            var counts: [Int] = []
            counts.reserveCapacity(lists.count)
            for first in stride(from: 0, to: lists.count, by: Self.tripLimit) {
                let part = lists[first..<min(first + Self.tripLimit, lists.count)]
                counts += try session.executeEach(text, part.map(text.values)).map(\.affectedRows)
            }
            return counts
        }
    }

    /// Runs it for each list of values, many of them in one trip to the server, and calls `body` with the
    /// list's position and the first row of its answer.
    ///
    /// On SQLite one follows the other, so `body` must not matter to the next: it does not change what the
    /// statement finds.
    package func forEachFirstRow(
        _ lists: [StatementArguments],
        _ body: (Int, Row?) throws -> Void
    ) throws {
        switch source {
        case .sqlite:
            for (position, arguments) in lists.enumerated() {
                let rows = try RowCursor(self, arguments)
                try body(position, rows.next())
            }
        case .postgres(let text, let session):
            var columns: RowValues.Columns?
            for first in stride(from: 0, to: lists.count, by: Self.tripLimit) {
                let part = lists[first..<min(first + Self.tripLimit, lists.count)]
                let results = try session.executeEach(text, part.map(text.values))
                for (position, result) in zip(part.indices, results) {
                    let rows = PostgresRows(result, columns: columns)
                    columns = rows.columns
                    try body(position, rows.next().map { Row(source: .values($0)) })
                }
            }
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
