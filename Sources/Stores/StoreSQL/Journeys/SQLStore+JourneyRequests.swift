import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func perform(
        _ request: JourneyRequest,
        noting audit: @escaping @Sendable (Int) -> AuditRecord?,
        now: Date
    ) async throws -> JourneyRequestOutcome {
        try await write { [identities] database in
            guard let journey = try Journey.fetch(request.journey, database) else { return .closed }
            if let key = request.key,
                let known = try Self.known(key, in: journey.workspace, database)
            {
                return known
            }
            guard journey.state == .active else { return .closed }
            let transaction = try IngestTransaction(database, cache: identities, now: now)
            let outcomes = try request.recipients.map {
                try $0.item.map { try transaction.apply($0, in: journey.workspace) }
            }
            try transaction.flush()
            let schedule = try request.schedule.map {
                (try Self.add($0, of: journey.id, now, database), $0.at)
            }
            var users: Set<ProfileID> = []
            for recipient in request.recipients {
                guard let user = try transaction.find(recipient.user, in: journey.workspace),
                    users.insert(user).inserted
                else { continue }
                try Self.requestEntry(
                    user,
                    recipient.properties,
                    into: journey.id,
                    at: schedule,
                    now,
                    database
                )
            }
            for (user, properties) in request.members.ordered(by: { $0.key })
            where users.insert(user).inserted {
                try Self.requestEntry(
                    user,
                    properties,
                    into: journey.id,
                    at: schedule,
                    now,
                    database
                )
            }
            identities.add(transaction.resolved, after: database)
            if let key = request.key {
                try database.execute(
                    sql: "INSERT INTO journey_request_keys VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        journey.workspace.rawValue, key.name, key.fingerprint, users.count,
                        now.milliseconds, request.schedule?.id,
                    ]
                )
            }
            try Self.addAudit(audit(users.count), in: journey.workspace, database)
            return .accepted(outcomes, users: users.count)
        }
    }

    /// What was answered to the request with this key; `nil` if there was none.
    private static func known(
        _ key: IdempotencyKey,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> JourneyRequestOutcome? {
        try database.execute(
            sql: "DELETE FROM journey_request_keys WHERE created_at < ?",
            arguments: [key.expiredBefore.milliseconds]
        )
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT fingerprint, users, schedule FROM journey_request_keys
                WHERE workspace_id = ? AND name = ?
                """,
            arguments: [workspace.rawValue, key.name]
        )
        guard let row else { return nil }
        guard row["fingerprint"] == key.fingerprint else { return .otherRequest }
        return .known(users: row["users"], schedule: row["schedule"])
    }

    // MARK: Times

    private static func add(
        _ schedule: JourneySchedule,
        of journey: JourneyID,
        _ now: Date,
        _ database: Database
    ) throws -> Int64 {
        try Int64.fetchOnly(
            database,
            sql: """
                INSERT INTO journey_schedules (public_id, journey_id, due_at, created_at)
                VALUES (?, ?, ?, ?) RETURNING id
                """,
            arguments: [
                schedule.id, journey.rawValue, schedule.at.milliseconds, now.milliseconds,
            ]
        )
    }

    package func moveSchedule(
        _ id: UUID,
        of journey: JourneyID,
        to moment: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> JourneyScheduleOutcome {
        try await write { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM journey_schedules WHERE public_id = ? AND journey_id = ?",
                arguments: [id, journey.rawValue]
            )
            guard let row, let stored = try Journey.fetch(journey, database) else {
                return .unknown
            }
            if row["is_cancelled"] { return .cancelled }
            guard row["due_at"] as Int64 > now.milliseconds else { return .begun }
            let number: Int64 = row["id"]
            if let moment {
                for sql in [
                    "UPDATE journey_schedules SET due_at = ? WHERE id = ?",
                    "UPDATE journey_requests SET due_at = ? WHERE schedule_id = ?",
                ] {
                    try database.execute(sql: sql, arguments: [moment.milliseconds, number])
                }
            } else {
                for sql in [
                    "UPDATE journey_schedules SET is_cancelled = 1 WHERE id = ?",
                    "DELETE FROM journey_requests WHERE schedule_id = ?",
                ] {
                    try database.execute(sql: sql, arguments: [number])
                }
            }
            try Self.addAudit(audit, in: stored.workspace, database)
            return .done
        }
    }
}
