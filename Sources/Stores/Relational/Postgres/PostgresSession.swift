import PostgresClient

/// A connection to PostgreSQL and what belongs to its transaction. Confined to its lane's queue.
final class PostgresSession {
    private let connection: PostgresConnection
    private var texts: [String: PostgresStatementText] = [:]
    private var committed: [@Sendable () -> Void] = []
    private var savepoints = 0

    /// Grows with the transactions that change identities, of every process.
    private(set) var identityChanges: Int64 = 0
    private var changes = 0
    private var totalChanges = 0
    /// Statements that were not sent yet: nobody has asked for their answers. They go with whatever is sent
    /// next, in one trip.
    private var waiting = PostgresPipeline()
    /// Whether statements may wait, as those of a transaction that writes.
    private var letsWait = false

    /// How many statements wait at the most.
    private static let waitingLimit = 500

    /// The number of the history that the server works on; 0 of one that copies another.
    private(set) var timeline: Int64 = 0
    /// What each transaction begins with behind a pooler: the next one may have another connection, and that even
    /// one to another server.
    private let preparations: [String]

    /// - Parameters:
    ///   - settings: What the connection needs, as `name = value`.
    ///   - isPooled: Whether a pooler gives each transaction another connection.
    /// - Throws: `PostgresError` if the connection is lost.
    init(_ connection: PostgresConnection, settings: [String], isPooled: Bool) throws {
        self.connection = connection
        preparations = isPooled ? settings.map { "SET LOCAL \($0)" } + [Self.askForTimeline] : []
        if !isPooled {
            for setting in settings { try connection.run(script: "SET \(setting)") }
        }
        try readTimeline(try connection.execute(Self.askForTimeline))
    }

    private static let askForTimeline = """
        SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE
            ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END
        """

    private func readTimeline(_ result: PostgresResult?) throws {
        guard let result, result.count == 1, case .integer(let number) = result.value(0, 0) else {
            throw DatabaseError(.mismatch, "the server does not tell its timeline")
        }
        timeline = number
    }

    var isAlive: Bool { connection.isAlive }
    var isInsideTransaction: Bool { connection.isInTransaction }

    /// Sends what waits. An error is that of one of these statements, and the transaction has failed.
    func flush() throws { _ = try send { _ in } }

    /// Sends what waits and, in the same trip, more statements.
    ///
    /// - Returns: The answers to those that were added.
    private func send(
        _ add: (inout PostgresPipeline) -> Void
    ) throws -> ArraySlice<PostgresResult> {
        let waited = waiting.count
        var pipeline = waiting
        waiting = PostgresPipeline()
        add(&pipeline)
        guard pipeline.count > 0 else { return [] }
        let results = try connection.pipeline { $0 = pipeline }
        for result in results[..<waited] { count(result.affectedRows) }
        return results[waited...]
    }

    private func count(_ rows: Int) {
        changes = rows
        totalChanges += rows
    }

    /// Number of rows that the last statement has written.
    func changesCount() throws -> Int {
        try flush()
        return changes
    }

    /// The same of all statements.
    func totalChangesCount() throws -> Int {
        try flush()
        return totalChanges
    }

    /// The statement in PostgreSQL's SQL. Only a program's own statements get here, so their number is
    /// small.
    func statement(_ sql: String) -> PostgresStatementText {
        if let known = texts[sql] { return known }
        let text = PostgresDialect.translate(sql)
        texts[sql] = text
        return text
    }

    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        let text = statement(sql)
        // Several statements are one script, whose rows are not counted.
        guard !text.parameters.isEmpty || !text.sql.contains(";") else {
            return try run(script: text.sql)
        }
        try execute(text, arguments)
    }

    func execute(_ statement: PostgresStatementText, _ arguments: StatementArguments) throws {
        try execute(statement, statement.values(arguments))
    }

    /// Runs a statement whose answer is not needed now: within a transaction that writes it waits for the
    /// next one that is, or for the commit.
    func execute(_ statement: PostgresStatementText, _ values: [PostgresValue]) throws {
        guard letsWait else {
            return count(try connection.execute(statement.sql, values).affectedRows)
        }
        waiting.add(statement.sql, values)
        if waiting.count >= Self.waitingLimit { try flush() }
    }

    /// Runs a statement for each list of values, in one trip.
    ///
    /// - Returns: The answers, in the order of the lists.
    private func executeEach(
        _ statement: PostgresStatementText,
        _ lists: some Sequence<[PostgresValue]>
    ) throws -> ArraySlice<PostgresResult> {
        let results = try send { pipeline in
            for values in lists { pipeline.add(statement.sql, values) }
        }
        if statement.writes { for result in results { count(result.affectedRows) } }
        return results
    }

    /// Runs a statement for each list of values, in one trip: for all of them at once if its text allows it,
    /// otherwise for one after another.
    ///
    /// - Parameter tellingPositions: Whether each row has to tell which list it is for.
    func forAll(
        _ statement: PostgresStatementText,
        _ lists: [[PostgresValue]],
        tellingPositions: Bool
    ) throws -> [PostgresListRow] {
        guard lists.count > 1, let text = statement.lists, text.hasPositions || !tellingPositions,
            let whole = text.statement(for: lists)
        else {
            return try executeEach(statement, lists).enumerated().flatMap { position, result in
                let rows = PostgresRows(result)
                return sequence(state: rows) { $0.next() }
                    .map { PostgresListRow(position: position, values: $0) }
            }
        }
        let results = try send { pipeline in
            pipeline.add(Self.seekRows)
            pipeline.add(whole.sql, whole.values)
            pipeline.add(Self.readTables)
        }
        let answers = results[results.startIndex + 1]
        if statement.writes { count(answers.affectedRows) }
        return whole.rows(of: answers)
    }

    /// Each list is looked for with an index. A plan is made when the tables may still be empty, and kept
    /// while they grow; one that reads a whole table, which looks good then, would read all of it each time.
    private static let seekRows = planning("off")
    private static let readTables = planning("on")

    private static func planning(_ state: String) -> String {
        let settings = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"]
        return "SELECT "
            + settings.map { "set_config('\($0)', '\(state)', TRUE)" }.joined(separator: ", ")
    }

    func rows(
        _ statement: PostgresStatementText,
        _ arguments: StatementArguments
    ) throws -> PostgresRows {
        let values = statement.values(arguments)
        let result =
            if waiting.count == 0 {
                try connection.execute(statement.sql, values)
            } else if let last = try send({ $0.add(statement.sql, values) }).last {
                last
            } else {
                throw DatabaseError(.mismatch, "the server has not answered every statement")
            }
        if statement.writes { count(result.affectedRows) }
        return PostgresRows(result)
    }

    func forEachRow(
        _ statement: PostgresStatementText,
        _ arguments: StatementArguments,
        _ body: (PostgresRow) throws -> Bool
    ) throws {
        try flush()
        try connection.forEachRow(statement.sql, statement.values(arguments), body)
    }

    /// The rows of a query in PostgreSQL's own SQL as they are needed.
    func cursor(_ sql: String) throws -> PostgresRowCursor {
        try flush()
        return try connection.rows(sql)
    }

    /// Writes many rows with PostgreSQL's `COPY … FROM STDIN (FORMAT BINARY)`.
    @discardableResult
    func copyIn(_ sql: String, _ body: (inout PostgresCopy) throws -> Void) throws -> Int {
        try flush()
        let rows = try connection.copyIn(sql, body)
        count(rows)
        return rows
    }

    /// Several statements of PostgreSQL's own SQL.
    func run(script: String) throws {
        try flush()
        try connection.run(script: script)
    }

    /// The first column of the first row of PostgreSQL's own SQL.
    func value(_ sql: String, _ parameters: [PostgresValue] = []) throws -> DatabaseValue {
        try flush()
        let result = try connection.execute(sql, parameters)
        return result.count > 0 ? DatabaseValue(result.value(0, 0)) : .null
    }

    // MARK: Transactions

    /// - Parameter epoch: The number of the turn that a transaction that writes belongs to.
    func begin(_ kind: PostgresTransaction, epoch: Int64? = nil) throws {
        committed = []
        savepoints = 0
        switch kind {
        case .open: break
        case .read: try beginReading()
        case .schema: try connection.run(script: "BEGIN; \(Self.waitForWriters)")
        case .write:
            do {
                try beginWriting(epoch)
            } catch {
                rollback()
                throw error
            }
            letsWait = true
        }
    }

    /// The key of the advisory lock that a transaction holds while it writes.
    private static let writerLock: Int64 = 0x6E6F_726F_7368_69

    /// Waits for the others that write.
    private static let waitForWriters = "SELECT pg_advisory_xact_lock(\(writerLock))"

    private func beginReading() throws {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        guard !preparations.isEmpty else { return try connection.run(script: begin) }
        do {
            let results = try connection.pipeline { pipeline in
                for statement in [begin] + preparations { pipeline.add(statement) }
            }
            try readTimeline(results.last)
        } catch {
            rollback()
            throw error
        }
    }

    /// Begins in one trip, and finds out whether identities have changed since this connection's last
    /// transaction, and whether the turn is still this one's.
    private func beginWriting(_ epoch: Int64?) throws {
        let results = try connection.pipeline { pipeline in
            pipeline.add("BEGIN")
            for statement in preparations { pipeline.add(statement) }
            pipeline.add(Self.waitForWriters)
            // Sees what those who were waited for have committed.
            pipeline.add(
                """
                SELECT pg_sequence_last_value(to_regclass('identity_changes')), epoch
                FROM server_claim WHERE id = 1
                """
            )
        }
        if !preparations.isEmpty { try readTimeline(results.dropLast(2).last) }
        guard let result = results.last, result.count == 1 else { return }
        if let epoch, result.value(0, 1) != .integer(epoch) {
            throw DatabaseError(.superseded, "another server has taken the claim")
        }
        if case .integer(let number) = result.value(0, 0) { identityChanges = number }
    }

    func commit() throws {
        // The answer to the COMMIT of a failed transaction is a rollback without an error.
        let hasFailed = connection.hasFailedTransaction
        if waiting.count == 0 {
            try connection.run(script: "COMMIT")
        } else {
            // One that fails ends the others, and the COMMIT.
            _ = try send { $0.add("COMMIT") }
        }
        letsWait = false
        guard !hasFailed else {
            throw DatabaseError(.aborted, "a failed statement was passed over")
        }
        let committed = committed
        self.committed = []
        for body in committed { body() }
    }

    func rollback() {
        committed = []
        waiting = PostgresPipeline()
        letsWait = false
        // Where the connection is lost, so is the transaction.
        try? connection.run(script: "ROLLBACK")
    }

    func afterCommit(_ body: @escaping @Sendable () -> Void) { committed.append(body) }

    func inSavepoint(_ body: () throws -> Database.SavepointEnd) throws {
        savepoints += 1
        defer { savepoints -= 1 }
        let name = "savepoint_\(savepoints)"
        try run(script: "SAVEPOINT \(name)")
        let undo = "ROLLBACK TO SAVEPOINT \(name); RELEASE SAVEPOINT \(name)"
        do {
            let end = try body()
            if end == .rollback { waiting = PostgresPipeline() }
            try run(script: end == .commit ? "RELEASE SAVEPOINT \(name)" : undo)
        } catch {
            waiting = PostgresPipeline()
            try? connection.run(script: undo)
            throw error
        }
    }
}

/// How a transaction begins.
enum PostgresTransaction: Sendable {
    /// One state of the database, as long as it lasts.
    case read
    /// The only one that writes: numbers grow in the order of commits, and what is looked up stays true
    /// until the commit, as on SQLite.
    case write
    /// The only one that changes the schema.
    case schema
    /// It has begun already: a snapshot's.
    case open
}

/// The rows of an answer.
final class PostgresRows {
    private let result: PostgresResult
    let columns: RowValues.Columns
    private var row = 0

    /// - Parameter columns: The columns, where an earlier result of the same statement had them.
    init(_ result: PostgresResult, columns: RowValues.Columns? = nil) {
        self.result = result
        self.columns = columns ?? RowValues.Columns(names: result.columns)
    }

    func next() -> RowValues? {
        guard row < result.count else { return nil }
        defer { row += 1 }
        let values = columns.names.indices.map { DatabaseValue(result.value(row, $0)) }
        return RowValues(columns: columns, values: values)
    }
}

extension PostgresStatementText {
    /// The values in the order of the parameters.
    func values(_ arguments: StatementArguments) -> [PostgresValue] {
        var position = 0
        return parameters.map { name in
            if let name { return PostgresValue(arguments.named[name] ?? .null) }
            defer { position += 1 }
            return position < arguments.values.count
                ? PostgresValue(arguments.values[position]) : .null
        }
    }
}

extension DatabaseValue {
    init(_ value: PostgresValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .double(let double): .double(double)
            case .text(let text): .text(text)
            case .bytes(let bytes): .bytes(bytes)
            case .list: preconditionFailure("no answer of the server is a list")
            }
    }
}

extension PostgresValue {
    init(_ value: DatabaseValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .double(let double): .double(double)
            case .text(let text): .text(text)
            case .bytes(let bytes): .bytes(bytes)
            }
    }
}
