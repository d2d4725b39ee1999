import Foundation

/// A connection to PostgreSQL, used by one thread at a time: each call waits for the server's answer.
///
/// Not `Sendable`: its owner confines it to one queue. Only a ``PostgresCancellation`` may be used from elsewhere.
package final class PostgresConnection {
    let libpq: LibPQ
    let raw: OpaquePointer
    let cache: StatementCache
    /// `host:port/database`, for messages.
    let server: String
    /// A statement whose rows are still coming in; nothing else can be sent until they have come.
    weak var openRows: PostgresRowCursor?
    /// How many cursors were opened, for their names.
    var cursorCount = 0
    /// Counts the transactions, of one statement or of many: a cursor ends with its own.
    private(set) var transactionNumber = 0
    private var isBroken = false

    /// Connects, which takes up to the options' `connectTimeout` for each server of the address.
    ///
    /// - Parameters:
    ///   - address: A `postgres://` URI or libpq's `keyword=value` pairs; what it says goes before the options.
    ///   - application: The name that the server shows in `pg_stat_activity`.
    /// - Throws: A ``PostgresError`` where libpq is missing, no server answers or it refuses.
    package init(
        _ address: String,
        application: String,
        options: PostgresOptions = PostgresOptions()
    ) throws {
        libpq = try PostgresLibrary.functions()
        let keywords = options.keywords(address: address, application: application)
        guard let raw = Self.connect(libpq, keywords) else {
            throw PostgresError(message: "there is no memory for a connection")
        }
        self.raw = raw
        let (host, port, database) = (libpq.host(raw), libpq.port(raw), libpq.database(raw))
        let place = [host, port].compactMap { $0.map { String(cString: $0) } }
        server = place.joined(separator: ":") + (database.map { "/" + String(cString: $0) } ?? "")
        cache = StatementCache(
            limit: options.preparedLimit,
            prepares: options.preparesStatements,
            prefix: "s" + String(UInt64.random(in: .min ... .max), radix: 36)
        )
        // From here the object is whole, and its end closes the connection, also after an error below.
        guard libpq.status(raw) == 0 else {
            throw Self.refusal(libpq, raw, address: address)
        }
        libpq.setNoticeProcessor(raw, { _, _ in }, nil)
        let settings = options.settings
        if !settings.isEmpty { try run(script: settings) }
    }

    deinit {
        libpq.finish(raw)
    }

    private static func connect(
        _ libpq: LibPQ,
        _ keywords: [(keyword: String, value: String)]
    ) -> OpaquePointer? {
        let names = keywords.map { strdup($0.keyword) }
        let values = keywords.map { strdup($0.value) }
        defer {
            for text in names + values { free(text) }
        }
        // Both lists end with a null.
        return libpq.connect(
            names.map { UnsafePointer($0) } + [nil],
            values.map { UnsafePointer($0) } + [nil],
            1
        )
    }

    /// libpq repeats an address that it cannot read, and an address may hold a password.
    private static func refusal(
        _ libpq: LibPQ,
        _ raw: OpaquePointer,
        address: String
    ) -> PostgresError {
        var words = libpq.errorMessage(raw).map { String(cString: $0) } ?? ""
        if words.contains("URI") || words.contains(address) {
            words = words.components(separatedBy: ": \"")[0]
            words += " in the address of the PostgreSQL server"
        }
        return PostgresError(message: words.trimmed, isConnectionLost: true)
    }

    // MARK: State

    /// A transaction is open, be it failed or not.
    package var isInTransaction: Bool {
        libpq.transactionStatus(raw) != TransactionStatus.idle && isAlive
    }

    /// A statement of the open transaction failed: it can only be rolled back, or back to a savepoint.
    package var hasFailedTransaction: Bool {
        libpq.transactionStatus(raw) == TransactionStatus.failed
    }

    /// The connection was good when it was last used.
    package var isAlive: Bool {
        !isBroken && libpq.status(raw) == 0
    }

    /// Whether the server has not ended the connection while nothing was asked of it; sends nothing.
    package func isStillAlive() -> Bool {
        // The first look may find the server's last words, and the second that nothing follows.
        for _ in 0..<2 where isAlive && openRows == nil { _ = libpq.consumeInput(raw) }
        return isAlive
    }

    /// The server's version, as 150018 for 15.18.
    package var serverVersion: Int { Int(libpq.serverVersion(raw)) }

    /// The number of the server's process, as `pg_stat_activity` has it.
    package var processID: Int { Int(libpq.backend(raw)) }

    // MARK: Statements

    /// Runs one statement and waits for all its rows.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `$1`, `$2` … for its parameters.
    ///   - parameters: Each has the type of its Swift value at the server.
    /// - Throws: A ``PostgresError``; a transaction that is open has then failed.
    @discardableResult
    package func execute(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) throws -> PostgresResult {
        try becomeReady(sql)
        let isAlone = libpq.transactionStatus(raw) == TransactionStatus.idle
        do {
            return try send(sql, parameters)
        } catch let error as PostgresError where error.isStaleStatement {
            cache.removeAll()
            // A statement of its own changed nothing; a transaction has failed as a whole.
            guard isAlone, isAlive else { throw error }
            try dropAbandoned()
            return try send(sql, parameters)
        }
    }

    /// Runs many statements without parameters in one trip, in one transaction if none is open.
    package func run(script sql: String) throws {
        try becomeReady(sql)
        _ = try check(libpq.execute(raw, sql), sql: sql)
    }

    private func send(_ sql: String, _ parameters: [PostgresValue]) throws -> PostgresResult {
        let encoded = EncodedParameters(parameters)
        let plan = cache.plan(sql, parameters.map(\.type))
        if let name = plan.name, plan.isNew {
            let answer = libpq.prepare(raw, name, sql, Int32(plan.types.count), plan.types)
            _ = try check(answer, sql: sql)
            cache.prepared(sql, plan)
        }
        let answer = encoded.withPointers { values, lengths, formats in
            let count = Int32(encoded.count)
            if let name = plan.name {
                return libpq.executePrepared(raw, name, count, values, lengths, formats, 1)
            }
            return libpq.executeWithParameters(
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
        return try check(answer, sql: sql)
    }

    /// Says why nothing can be sent now, and takes statements from the server that are no longer kept.
    func becomeReady(_ sql: String) throws {
        if openRows != nil {
            throw PostgresError(message: "the rows of another statement are still read", sql: sql)
        }
        // C would end the text there.
        if sql.withCString({ strlen($0) }) != sql.utf8.count {
            throw PostgresError(message: "the statement holds the character U+0000", sql: sql)
        }
        try dropAbandoned()
        if libpq.transactionStatus(raw) == TransactionStatus.idle { transactionNumber += 1 }
    }

    private func dropAbandoned() throws {
        // The server takes no such statement in a transaction that has failed.
        guard !hasFailedTransaction else { return }
        let names = cache.takeAbandoned()
        guard !names.isEmpty else { return }
        let script = names.map { "DEALLOCATE \($0)" }.joined(separator: "; ")
        _ = try check(libpq.execute(raw, script), sql: script)
    }

    // MARK: Answers

    func check(_ answer: OpaquePointer?, sql: String) throws -> PostgresResult {
        guard let answer else { throw failure(sql) }
        switch libpq.resultStatus(answer) {
        case ResultStatus.commandDone, ResultStatus.rows:
            return PostgresResult(libpq, answer)
        case ResultStatus.copyIn, ResultStatus.copyOut:
            // Nobody will send or take the rows, and nothing else is possible before that.
            isBroken = true
            libpq.clear(answer)
            throw PostgresError(
                message: "a statement that copies rows needs `copyIn`",
                sql: sql,
                isConnectionLost: true
            )
        default:
            throw failure(answer, sql)
        }
    }

    /// The error of a result, which it clears.
    func failure(_ answer: OpaquePointer, _ sql: String) -> PostgresError {
        defer { libpq.clear(answer) }
        return PostgresError(
            libpq,
            result: answer,
            sql: sql,
            isConnectionLost: !isAlive,
            server: server
        )
    }

    /// The error of the connection where there is no result.
    func failure(_ sql: String) -> PostgresError {
        let words = libpq.errorMessage(raw).map { String(cString: $0) } ?? ""
        guard isAlive else {
            return PostgresError(
                message: PostgresError.lost(server, words),
                sql: sql,
                isConnectionLost: true
            )
        }
        return PostgresError(message: words.trimmed, sql: sql)
    }

    /// What is between the messages of the server and of libpq cannot be known any more.
    func markBroken() {
        isBroken = true
    }
}
