import Foundation
import Model
import Ports
import Relational

extension SQLStore: JourneyCallStore {
    package func claimJourneyCalls(
        leaseEnd: Date,
        now: Date,
        limit: Int
    ) async throws -> [JourneyCall] {
        let due = "state = 0 AND due_at <= ? AND \(SendingHoldSchema.isReleased)"
        let hasDue = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT TRUE FROM journey_calls WHERE \(due))"
                ),
                arguments: [now.milliseconds]
            ) ?? false
        }
        guard hasDue else { return [] }
        return try await write { [unreadable] database in
            let ids = try Int64.fetchAll(
                database,
                sql: """
                    UPDATE journey_calls SET due_at = ? WHERE id IN (
                        SELECT id FROM journey_calls WHERE \(due) ORDER BY due_at LIMIT ?)
                    RETURNING id
                    """,
                arguments: [leaseEnd.milliseconds, now.milliseconds, limit]
            )
            return try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT calls.id AS id, calls.entry_id, calls.passage, calls.version,
                            calls.attempts, calls.created_at, calls.workspace_id,
                            (SELECT step FROM journey_steps WHERE id = calls.step_id) AS step
                        FROM journey_calls AS calls
                        WHERE calls.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                        ORDER BY calls.id
                        """,
                    arguments: [try StoredJSON.text(ids)]
                ),
                of: "journey_calls"
            ) { row in try Self.call(row, database) }
        }
    }

    private static func call(_ row: Row, _ database: Database) throws -> JourneyCall {
        guard
            let entry = try Row.fetchOne(
                database,
                sql: """
                    SELECT \(JourneyEntryRow.columns) FROM journey_entries AS entries WHERE id = ?
                    """,
                arguments: [row["entry_id"] as Int64]
            ).map(JourneyEntryRow.entry)
        else { throw StoreError(.unreadable, .callWithoutEntry) }
        return JourneyCall(
            id: row["id"],
            workspace: WorkspaceID(row["workspace_id"]),
            entry: entry,
            step: JourneyStepID(try StoredUUID.value(row, "step")),
            passage: row["passage"],
            version: row["version"],
            attempts: row["attempts"],
            createdAt: Date(milliseconds: row["created_at"])
        )
    }

    package func record(_ outcome: JourneyCallOutcome, of call: Int64) async throws {
        let state: Int
        var due: Date?
        let code: Int?
        var text: String?
        switch outcome {
        case .done(let status): (state, code) = (1, status)
        case .retry(let at, let status, let reason):
            (state, due, code, text) = (0, at, status, reason)
        case .failed(let status, let reason): (state, code, text) = (2, status, reason)
        }
        try await write { [due, text] database in
            try database.execute(
                sql: """
                    UPDATE journey_calls SET state = ?, attempts = attempts + 1,
                        due_at = coalesce(?, due_at), status = ?, reason = ?
                    WHERE id = ? AND state = 0
                    """,
                arguments: [state, due?.milliseconds, code, text, call]
            )
        }
    }

    package func journeyMessages(
        in workspace: WorkspaceID,
        for profile: ProfileID?,
        now: Date
    ) async throws -> (reserved: Set<UUID>, granted: [UUID: MessageProperties]) {
        try await read { database in
            let reserved = try UUID.fetchAll(
                database,
                sql: """
                    SELECT message FROM journey_messages JOIN journeys ON journeys.id = journey_id
                    WHERE workspace_id = ? AND state IN ('active', 'paused', 'draining')
                    """,
                arguments: [workspace.rawValue]
            )
            guard let profile, !reserved.isEmpty else { return (Set(reserved), [:]) }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT message, properties FROM journey_entries
                    CROSS JOIN journey_grants ON entry_id = journey_entries.id
                    WHERE profile_id = ? AND until > ? ORDER BY journey_entries.id
                    """,
                arguments: [profile.rawValue, now.milliseconds]
            )
            var granted: [UUID: MessageProperties] = [:]
            // Of several entries the last one.
            for row in rows {
                let message = try StoredUUID.value(row, "message")
                granted[message] = try JourneyEntryRow.properties(row["properties"])
            }
            return (Set(reserved), granted)
        }
    }
}
