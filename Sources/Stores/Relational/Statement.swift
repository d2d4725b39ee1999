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

    /// Runs it for each list of values, many of them at once on PostgreSQL, in no order.
    package func execute(forEach lists: [StatementArguments]) throws {
        switch source {
        case .sqlite(let statement):
            for arguments in lists { try SQLiteRows.execute(statement, arguments) }
        case .postgres: try forEachRow(lists) { _ in }
        }
    }

    /// The same for lists of whole numbers, which need no value object each.
    package func execute(forEachOf lists: [[Int64]]) throws {
        switch source {
        case .sqlite(let statement):
            for numbers in lists { try SQLiteRows.execute(statement, numbers) }
        case .postgres: try forEachRow(lists.map { StatementArguments($0) }) { _ in }
        }
    }

    /// How many lists one trip has at the most.
    private static let tripLimit = 500

    /// Runs it for each list of values, many of them at once on PostgreSQL, and calls `body` with the list's
    /// position and the first row of its answer.
    ///
    /// On SQLite one follows the other, so neither `body` nor a list may matter to the next: two lists that
    /// change the same row are not for one call.
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
            for first in stride(from: 0, to: lists.count, by: Self.tripLimit) {
                let part = lists[first..<min(first + Self.tripLimit, lists.count)]
                var found = [RowValues?](repeating: nil, count: part.count)
                let values = part.map(text.values)
                for row in try session.forAll(text, values, tellingPositions: true) {
                    guard let position = row.position else { continue }
                    found[position] = found[position] ?? row.values
                }
                for (position, row) in zip(part.indices, found) {
                    try body(position, row.map { Row(source: .values($0)) })
                }
            }
        }
    }

    /// Runs it for each list of values, many of them at once on PostgreSQL, and calls `body` with each row
    /// of the answers, in no order: such as the rows that were inserted.
    package func forEachRow(
        _ lists: [StatementArguments],
        _ body: (Row) throws -> Void
    ) throws {
        switch source {
        case .sqlite:
            for arguments in lists {
                let rows = try RowCursor(self, arguments)
                while let row = try rows.next() { try body(row) }
            }
        case .postgres(let text, let session):
            for first in stride(from: 0, to: lists.count, by: Self.tripLimit) {
                let part = lists[first..<min(first + Self.tripLimit, lists.count)]
                let values = part.map(text.values)
                for row in try session.forAll(text, values, tellingPositions: false) {
                    try body(Row(source: .values(row.values)))
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
