import Foundation
import Model
import Ports
import Relational

/// Pausing, stopping and counting sends.
extension SQLStore {
    /// Rows skipped per transaction; more would keep other writers waiting.
    private static let skipChunk = 5_000

    package func control(
        _ send: SendID,
        _ step: SendStep,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool {
        let isDone = try await write { database in
            let isDone =
                switch step {
                case .pause: try Self.pauseSend(send, database)
                case .resume: try Self.resumeSend(send, database)
                case .stop: try Self.cancelSend(send, now, database)
                }
            if isDone, let audit {
                let workspace = try Int64.fetchOne(
                    database,
                    sql: "SELECT workspace_id FROM sends WHERE id = ?",
                    arguments: [send.rawValue]
                )
                if let workspace {
                    try Self.addAudit(audit, in: WorkspaceID(workspace), database)
                }
            }
            return isDone
        }
        // Claimed dispatches are in progress and get their outcome; queued ones are skipped.
        if isDone, step == .stop { try await skipQueued(of: send, now: now) }
        return isDone
    }

    static func cancelSend(_ id: SendID, _ now: Date, _ database: Database) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE sends SET state = 'cancelled', finished_at = ?
                WHERE id = ? AND state IN ('scheduled', 'planning', 'sending', 'paused')
                """,
            arguments: [now.milliseconds, id.rawValue]
        )
        return try database.changesCount > 0
    }

    /// Skips the dispatches of a stopped send that no worker has claimed.
    func skipQueued(of send: SendID, now: Date) async throws {
        while try await write({ try Self.skipFirst(of: send, now: now, $0) }) {}
    }

    /// Skips some of them.
    ///
    /// - Returns: Whether there may be others.
    static func skipFirst(
        of send: SendID,
        now: Date,
        _ database: Database
    ) throws -> Bool {
        let order = "lane, due_at, device_id"
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT reason, device_id FROM dispatches WHERE send_id = ? AND state = 0
                ORDER BY \(order) LIMIT ?
                """,
            arguments: [send.rawValue, Self.skipChunk]
        )
        let areFirst = FirstDispatches.include(where: "state = 0", by: order, database.kind)
        try database.execute(
            sql: """
                UPDATE dispatches SET state = :state, reason = 'Cancelled', updated_at = :now
                WHERE \(areFirst)
                """,
            arguments: [
                "state": DispatchState.skipped.rawValue, "now": now.milliseconds,
                "send": send.rawValue, "limit": Self.skipChunk,
            ]
        )
        var counts = DispatchCountDeltas()
        for row in rows { counts.add(-1, to: send.rawValue, .queued, row[0]) }
        counts.add(rows.count, to: send.rawValue, .skipped, "Cancelled")
        try counts.write(database)
        try FactLog(database).ended(
            rows.map { $0[1] },
            of: send.rawValue,
            as: .skipped,
            at: now.milliseconds
        )
        return rows.count == Self.skipChunk
    }

    static func pauseSend(_ id: SendID, _ database: Database) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE sends SET paused_from = state, state = 'paused'
                WHERE id = ? AND state IN ('scheduled', 'planning', 'sending')
                """,
            arguments: [id.rawValue]
        )
        return try database.changesCount > 0
    }

    static func resumeSend(_ id: SendID, _ database: Database) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE sends SET state = coalesce(paused_from, 'sending'), paused_from = NULL
                WHERE id = ? AND state = 'paused'
                """,
            arguments: [id.rawValue]
        )
        return try database.changesCount > 0
    }

    package func counts(of sends: [SendID]) async throws -> [SendID: SendCounts] {
        let list = try StoredJSON.text(sends)
        return try await read { database in
            var counts = Dictionary(uniqueKeysWithValues: sends.map { ($0, SendCounts()) })
            let states = try Row.fetchCursor(
                database,
                sql: """
                    SELECT send_id, state, sum(rows), sum(iif(\(GoneDevice.condition), rows, 0))
                    FROM send_counts
                    WHERE send_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    GROUP BY send_id, state HAVING sum(rows) > 0
                    """,
                arguments: [list]
            )
            while let row = try states.next() {
                guard let state = DispatchState(rawValue: row[1]) else { continue }
                counts[SendID(row[0])]?.states[state] = row[2]
                if state == .rejected { counts[SendID(row[0])]?.gone = row[3] }
            }
            let receipts = try Row.fetchCursor(
                database,
                sql: """
                    SELECT * FROM send_receipts
                    WHERE send_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    """,
                arguments: [list]
            )
            while let row = try receipts.next() {
                let send = SendID(row["send_id"])
                counts[send]?.received = row["received"]
                counts[send]?.opened = row["opened"]
                counts[send]?.influenced = row["influenced"]
                counts[send]?.dismissed = row["dismissed"]
            }
            return counts
        }
    }

    package func failureReasons(of send: SendID) async throws -> [FailureReason] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT state, reason, rows FROM send_counts
                    WHERE send_id = ? AND state <> ? AND reason <> '' AND rows > 0
                    ORDER BY rows DESC, reason
                    """,
                arguments: [send.rawValue, DispatchState.accepted.rawValue]
            ).compactMap { row in
                DispatchState(rawValue: row[0]).map {
                    FailureReason(state: $0, reason: row[1], count: row[2])
                }
            }
        }
    }

    package func countMismatches(of send: SendID) async throws -> [CountMismatch] {
        try await read { database in
            // Of one that is closed there may be no rows any more.
            if try ClosedLedgers(database).contains(send.rawValue) { return [] }
            let states = try Row.fetchAll(
                database,
                sql: """
                    SELECT 'state ' || state || ' ' || reason, sum(kept), sum(counted) FROM (
                        SELECT state, reason, rows AS kept, 0 AS counted FROM send_counts
                        WHERE send_id = :send
                        UNION ALL
                        SELECT state, reason, 0, rows FROM (\(DispatchCountDeltas.counted)))
                    GROUP BY state, reason HAVING sum(kept) <> sum(counted)
                    """,
                arguments: ["send": send.rawValue]
            )
            let receipts = try ["received", "opened", "influenced", "dismissed"].map { name in
                let counted =
                    name == "influenced"
                    ? "count(CASE WHEN opened_at IS NULL THEN influenced_at END)"
                    : "count(\(name)_at)"
                return try Row.fetchAll(
                    database,
                    sql: """
                        SELECT '\(name)', coalesce((SELECT \(name) FROM send_receipts
                            WHERE send_id = :send), 0) AS kept, \(counted) AS counted
                        FROM dispatches WHERE send_id = :send
                        """,
                    arguments: ["send": send.rawValue]
                ).filter { ($0[1] as Int) != ($0[2] as Int) }
            }
            return (states + receipts.joined()).map {
                CountMismatch(name: $0[0], kept: $0[1], counted: $0[2])
            }
        }
    }

    package func recount(_ send: SendID) async throws {
        try await write { database in
            if try ClosedLedgers(database).contains(send.rawValue) { return }
            let argument: StatementArguments = ["send": send.rawValue]
            try database.execute(
                sql: "DELETE FROM send_counts WHERE send_id = :send",
                arguments: argument
            )
            try database.execute(
                sql: "INSERT INTO send_counts \(DispatchCountDeltas.counted)",
                arguments: argument
            )
            try database.execute(
                sql: """
                    INSERT INTO send_receipts (send_id, received, opened, influenced, dismissed)
                    SELECT :send, count(received_at), count(opened_at),
                        count(CASE WHEN opened_at IS NULL THEN influenced_at END),
                        count(dismissed_at)
                    FROM dispatches WHERE send_id = :send
                    ON CONFLICT (send_id) DO UPDATE SET received = excluded.received,
                        opened = excluded.opened, influenced = excluded.influenced,
                        dismissed = excluded.dismissed
                    """,
                arguments: argument
            )
        }
    }
}
