import Foundation

/// The rows of one statement, read as they are needed: memory does not grow with them.
///
/// In a transaction it is a cursor of the server, read in portions: the connection is free for other statements
/// meanwhile, and the cursor ends with the transaction. Outside of a transaction the server sends all rows at once and
/// the connection does nothing else until the last one is read or ``close()`` is called.
package final class PostgresRowCursor {
    private enum Source {
        /// All the rows are here.
        case whole
        /// The server sends row after row.
        case stream
        /// A cursor of the server.
        case cursor(name: String, transaction: Int)
        case ended
    }

    private let connection: PostgresConnection
    private let sql: String
    private var source: Source
    private var portion: PostgresResult?
    private var position = 0
    private var portionSize = PostgresRowCursor.firstPortion
    private var layout: PostgresLayout?

    /// Small at first, for a reader that stops soon.
    private static let firstPortion = 64
    private static let largestPortion = 1024

    /// The names of the columns.
    package var columns: [String] { layout?.columns ?? [] }

    fileprivate init(
        _ connection: PostgresConnection,
        _ sql: String,
        _ parameters: [PostgresValue]
    ) throws {
        self.connection = connection
        self.sql = sql
        source = .ended
        if !connection.isInTransaction {
            try startStream(parameters)
        } else if Self.isQuery(sql) {
            try openCursor(parameters)
        } else {
            source = .whole
            portion = try connection.execute(sql, parameters)
            layout = portion?.layout
        }
    }

    deinit {
        if case .stream = source { endStream() }
    }

    /// The next row; `nil` after the last one.
    package func next() throws -> PostgresRow? {
        if let portion, position < portion.count {
            defer { position += 1 }
            return portion[position]
        }
        switch source {
        case .ended: return nil
        case .whole:
            source = .ended
            return nil
        case .stream: return try nextOfStream()
        case .cursor(let name, let transaction):
            guard let portion, portion.count == portionSize else {
                try close()
                return nil
            }
            // The server would make an error of the transaction that is open now.
            guard isOpen(transaction) else {
                source = .ended
                throw PostgresError(message: "the transaction of these rows has ended", sql: sql)
            }
            portionSize = min(portionSize * 4, Self.largestPortion)
            try fetch(name)
            return try next()
        }
    }

    /// Gives up the rows that are left; the connection, and the transaction if there is one, go on.
    package func close() throws {
        switch source {
        case .ended: return
        case .whole: break
        case .stream: endStream()
        case .cursor(let name, let transaction):
            // A transaction that failed has no cursors any more.
            if isOpen(transaction), !connection.hasFailedTransaction {
                try connection.run(script: "CLOSE \(name)")
            }
        }
        source = .ended
        portion = nil
    }

    // MARK: A cursor of the server

    /// Statements that a cursor can be declared for; the others, as an UPDATE with RETURNING, are run as a whole.
    private static func isQuery(_ sql: String) -> Bool {
        func isSeparator(_ character: Character) -> Bool { !character.isLetter && character != "_" }
        let first = sql.split(maxSplits: 1, whereSeparator: isSeparator).first
        switch first?.lowercased() {
        case "select", "values", "table": return true
        case "with":
            let writes: Set<String> = ["insert", "update", "delete", "merge"]
            return !sql.split(whereSeparator: isSeparator).contains {
                writes.contains($0.lowercased())
            }
        default: return false
        }
    }

    private func openCursor(_ parameters: [PostgresValue]) throws {
        connection.cursorCount += 1
        let name = "rows_\(connection.cursorCount)"
        let answers = try connection.pipeline { pipeline in
            pipeline.once("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", parameters)
            pipeline.once("FETCH FORWARD \(portionSize) FROM \(name)")
        }
        portion = answers.last
        layout = portion?.layout
        source = .cursor(name: name, transaction: connection.transactionNumber)
    }

    private func isOpen(_ transaction: Int) -> Bool {
        connection.isInTransaction && connection.transactionNumber == transaction
    }

    private func fetch(_ name: String) throws {
        let answers = try connection.pipeline { pipeline in
            pipeline.once("FETCH FORWARD \(portionSize) FROM \(name)")
        }
        portion = answers.first
        position = 0
    }

    // MARK: Row after row

    private func startStream(_ parameters: [PostgresValue]) throws {
        try connection.becomeReady(sql)
        let (libpq, raw) = (connection.libpq, connection.raw)
        let encoded = EncodedParameters(parameters)
        let plan = connection.cache.plan(sql, parameters.map(\.type))
        let wasSent = encoded.withPointers { values, lengths, formats in
            let count = Int32(encoded.count)
            if let name = plan.name, !plan.isNew {
                return libpq.sendPrepared(raw, name, count, values, lengths, formats, 1)
            }
            return libpq.sendWithParameters(
                raw,
                sql,
                count,
                plan.types,
                values,
                lengths,
                formats,
                1
            )
        }
        guard wasSent == 1, libpq.setSingleRowMode(raw) == 1 else { throw connection.failure(sql) }
        source = .stream
        connection.openRows = self
        // The first answer says whether the statement is good, and has the columns.
        portion = try receive()
    }

    private func nextOfStream() throws -> PostgresRow? {
        portion = try receive()
        position = 0
        guard let portion, portion.count > 0 else { return nil }
        position = 1
        return portion[0]
    }

    private func receive() throws -> PostgresResult? {
        let libpq = connection.libpq
        guard let answer = libpq.nextResult(connection.raw) else {
            finishStream()
            return nil
        }
        switch libpq.resultStatus(answer) {
        case ResultStatus.oneRow:
            let result = PostgresResult(libpq, answer, layout: layout)
            layout = result.layout
            return result
        case ResultStatus.rows, ResultStatus.commandDone:
            // The end: an answer without rows, and then none.
            let result = PostgresResult(libpq, answer, layout: layout)
            layout = result.layout
            drain()
            finishStream()
            return result
        default:
            let error = connection.failure(answer, sql)
            drain()
            finishStream()
            if error.isStaleStatement { connection.cache.removeAll() }
            throw error
        }
    }

    /// Asks the server to stop, and reads what it has sent until then.
    private func endStream() {
        connection.makeCancellation().cancel()
        drain()
        finishStream()
    }

    private func drain() {
        while let answer = connection.libpq.nextResult(connection.raw) {
            connection.libpq.clear(answer)
        }
    }

    private func finishStream() {
        source = .ended
        connection.openRows = nil
    }
}

extension PostgresConnection {
    /// The rows of a statement, read one after the other.
    package func rows(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) throws -> PostgresRowCursor {
        try PostgresRowCursor(self, sql, parameters)
    }

    /// Calls a function with each row, in memory that does not grow with their number.
    ///
    /// - Parameter body: Says with `false` that it needs no more; the connection can be used again after that.
    package func forEachRow(
        _ sql: String,
        _ parameters: [PostgresValue] = [],
        _ body: (PostgresRow) throws -> Bool
    ) throws {
        let rows = try rows(sql, parameters)
        do {
            while let row = try rows.next() {
                guard try body(row) else { break }
            }
        } catch {
            // The first error is what happened.
            try? rows.close()
            throw error
        }
        try rows.close()
    }
}
