import Foundation

/// Statements that are sent before the answer to the first one is read: one trip for all of them.
package struct PostgresPipeline {
    struct Entry {
        var sql: String
        var parameters: [PostgresValue]
        var isPlanned: Bool
    }

    private(set) var entries: [Entry] = []

    package init() {}

    /// How many statements it has.
    package var count: Int { entries.count }

    /// Adds a statement.
    package mutating func add(_ sql: String, _ parameters: [PostgresValue] = []) {
        entries.append(Entry(sql: sql, parameters: parameters, isPlanned: true))
    }

    /// Adds a statement whose text does not come again, and which is therefore not kept prepared.
    mutating func once(_ sql: String, _ parameters: [PostgresValue] = []) {
        entries.append(Entry(sql: sql, parameters: parameters, isPlanned: false))
    }
}

extension PostgresConnection {
    private struct Sent {
        var sql: String
        /// The plan that this answer is the preparing of; `nil` for the statement itself.
        var preparing: StatementCache.Plan?
    }

    /// Sends many statements in one trip.
    ///
    /// If no transaction is open they are one: all of them or none. One that fails ends the others, which were then
    /// not run.
    ///
    /// - Parameter body: Adds the statements; nothing is sent before it returns.
    /// - Returns: An answer for each statement, in their order.
    /// - Throws: The ``PostgresError`` of the statement that failed, with its SQL.
    @discardableResult
    package func pipeline(
        _ body: (inout PostgresPipeline) throws -> Void
    ) throws -> [PostgresResult] {
        var pipeline = PostgresPipeline()
        try body(&pipeline)
        guard let last = pipeline.entries.last else { return [] }
        for entry in pipeline.entries { try becomeReady(entry.sql) }
        guard libpq.enterPipeline(raw) == 1 else { throw failure(last.sql) }
        var sent: [Sent] = []
        var results: [PostgresResult] = []
        var error: PostgresError?
        do {
            for entry in pipeline.entries { try send(entry, &sent) }
            guard libpq.pipelineSync(raw) == 1 else { throw failure(last.sql) }
            error = try receive(sent, &results)
        } catch {
            // Half a pipeline was sent, and nothing says what the server makes of it.
            markBroken()
            for statement in sent { forget(statement) }
            throw error
        }
        guard libpq.exitPipeline(raw) == 1 else {
            markBroken()
            throw failure(last.sql)
        }
        if let error {
            if error.isStaleStatement { cache.removeAll() }
            throw error
        }
        return results
    }

    private func send(_ entry: PostgresPipeline.Entry, _ sent: inout [Sent]) throws {
        let types = entry.parameters.map(\.type)
        let plan =
            entry.isPlanned
            ? cache.plan(entry.sql, types)
            : StatementCache.Plan(types: types, name: nil, isNew: false)
        if let name = plan.name, plan.isNew {
            let count = Int32(plan.types.count)
            guard libpq.sendPrepare(raw, name, entry.sql, count, plan.types) == 1 else {
                throw failure(entry.sql)
            }
            cache.prepared(entry.sql, plan)
            sent.append(Sent(sql: entry.sql, preparing: plan))
        }
        let encoded = EncodedParameters(entry.parameters)
        let wasSent = encoded.withPointers { values, lengths, formats in
            let count = Int32(encoded.count)
            if let name = plan.name {
                return libpq.sendPrepared(raw, name, count, values, lengths, formats, 1)
            }
            return libpq.sendWithParameters(
                raw,
                entry.sql,
                count,
                plan.types,
                values,
                lengths,
                formats,
                1
            )
        }
        guard wasSent == 1 else { throw failure(entry.sql) }
        sent.append(Sent(sql: entry.sql, preparing: nil))
    }

    /// Reads an answer for each statement, and returns the error of the one that failed.
    private func receive(
        _ sent: [Sent],
        _ results: inout [PostgresResult]
    ) throws -> PostgresError? {
        var error: PostgresError?
        var lastSQL: String?
        for statement in sent {
            guard let answer = libpq.nextResult(raw) else { throw failure(statement.sql) }
            switch libpq.resultStatus(answer) {
            case ResultStatus.commandDone, ResultStatus.rows:
                guard statement.preparing == nil else {
                    libpq.clear(answer)
                    break
                }
                // A statement that is repeated has the same columns each time.
                let layout = statement.sql == lastSQL ? results.last?.layout : nil
                results.append(PostgresResult(libpq, answer, layout: layout))
                lastSQL = statement.sql
            case ResultStatus.pipelineAborted:
                libpq.clear(answer)
                forget(statement)
            default:
                let failed = failure(answer, statement.sql)
                error = error ?? failed
                forget(statement)
                if failed.isConnectionLost { throw failed }
            }
            // A null is the end of each statement's answers.
            while let more = libpq.nextResult(raw) { libpq.clear(more) }
        }
        while let answer = libpq.nextResult(raw) {
            let isSync = libpq.resultStatus(answer) == ResultStatus.pipelineSync
            libpq.clear(answer)
            if isSync { break }
        }
        return error
    }

    private func forget(_ statement: Sent) {
        if let plan = statement.preparing { cache.unprepared(statement.sql, plan) }
    }
}
