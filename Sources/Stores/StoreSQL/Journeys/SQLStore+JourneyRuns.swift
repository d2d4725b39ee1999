import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: JourneyRunStore {
    package func claimJourneys(
        owner: String,
        leaseEnd: Date,
        now: Date
    ) async throws -> [RunningJourney] {
        let isMine = "(lease_owner IS ? OR lease_ends_at <= ?)"
        let running = """
            state IN ('active', 'draining') AND \(SendingHoldSchema.isReleased)
            """
        // A lease is prolonged when half of it is over: most calls write nothing.
        let half = now.addingTimeInterval(leaseEnd.timeIntervalSince(now) / 2)
        let needsLease = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT TRUE FROM journeys WHERE \(running) AND \(isMine)
                            AND (lease_owner IS NOT ? OR lease_ends_at <= ?))
                        """
                ),
                arguments: [owner, now.milliseconds, owner, half.milliseconds]
            ) ?? false
        }
        if needsLease {
            try await write { database in
                try database.cachedStatement(
                    sql: """
                        UPDATE journeys SET lease_owner = ?, lease_ends_at = ?
                        WHERE \(running) AND \(isMine)
                        """
                ).execute(arguments: [owner, leaseEnd.milliseconds, owner, now.milliseconds]
                )
            }
        }
        return try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT *, EXISTS (SELECT TRUE FROM journey_requests
                            WHERE journey_id = journeys.id AND due_at <= ?) AS has_requests
                        FROM journeys WHERE \(running) AND lease_owner = ? AND lease_ends_at > ?
                        ORDER BY id
                        """
                ),
                arguments: [now.milliseconds, owner, now.milliseconds]
            )
            return try unreadable.values(rows, of: "journeys") { row in
                try Self.running(row, database)
            }
        }
    }

    private static func running(_ row: Row, _ database: Database) throws -> RunningJourney {
        let id: Int64 = row["id"]
        guard let version: Int = row["version"], let startedAt: Int64 = row["started_at"] else {
            throw StoreError(.unreadable, .journeyWithoutStart)
        }
        // One look into an index for each version, however many people are inside.
        let versions = try Int.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT number FROM journey_versions WHERE journey_id = ?1 AND (number = ?2
                        OR EXISTS (SELECT TRUE FROM journey_entries AS entries
                            WHERE entries.journey_id = ?1
                            AND entries.version = journey_versions.number AND end IS NULL))
                    """
            ),
            arguments: [id, version]
        )
        let cursor: Int64 = row["look_cursor"]
        let opensAt = max(startedAt, row["resumed_at"] ?? startedAt)
        return RunningJourney(
            id: JourneyID(id),
            workspace: WorkspaceID(row["workspace_id"]),
            apiID: try StoredUUID.value(row, "api_id"),
            isOpen: row["state"] == JourneyState.active.rawValue,
            version: version,
            versions: versions,
            eventCursor: row["event_cursor"],
            opensAt: Date(milliseconds: opensAt),
            nextLookAt: (row["next_look_at"] as Int64?).map(Date.init(milliseconds:)),
            knowsMembers: row["knows_members"],
            lookCursor: cursor == 0 ? nil : ProfileID(cursor),
            hasRequests: row["has_requests"]
        )
    }

    package func finishDrainedJourneys(now: Date) async throws -> [JourneyID] {
        let isOver = """
            state = 'draining' AND NOT EXISTS (SELECT TRUE FROM journey_entries
                WHERE journey_id = journeys.id AND end IS NULL)
            """
        let areOver = try await read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT TRUE FROM journeys WHERE \(isOver))"
            ) ?? false
        }
        guard areOver else { return [] }
        return try await write { database in
            try Int64.fetchAll(
                database,
                sql: """
                    UPDATE journeys SET state = 'stopped', updated_at = max(?, updated_at + 1)
                    WHERE \(isOver) RETURNING id
                    """,
                arguments: [now.milliseconds]
            ).map { JourneyID($0) }
        }
    }

    package func entries(
        of profiles: [ProfileID],
        in journeys: [JourneyID],
        endedSince start: Date
    ) async throws -> [JourneyEntry] {
        let users = try StoredJSON.text(profiles)
        let list = try StoredJSON.text(journeys)
        return try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(JourneyEntryRow.columns)
                        FROM json_each(?) AS users CROSS JOIN json_each(?) AS wanted
                        CROSS JOIN journey_entries AS entries
                            ON profile_id = CAST(users.value AS INTEGER)
                                AND journey_id = CAST(wanted.value AS INTEGER)
                        WHERE end IS NULL OR entered_at >= ? AND converted_at IS NULL
                        ORDER BY entries.id
                        """,
                    arguments: [users, list, start.milliseconds]
                ),
                of: "journey_entries",
                JourneyEntryRow.entry
            )
        }
    }

    package func lastEntries(
        of profiles: [ProfileID],
        in journey: JourneyID
    ) async throws -> [ProfileID: JourneyEntry] {
        let users = try StoredJSON.text(profiles)
        return try await read { database in
            let entries = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(JourneyEntryRow.columns)
                    FROM json_each(?) AS users CROSS JOIN journey_entries AS entries
                        ON entries.id = (SELECT id FROM journey_entries
                            WHERE profile_id = CAST(users.value AS INTEGER) AND journey_id = ?
                            ORDER BY number DESC LIMIT 1)
                    """,
                arguments: [users, journey.rawValue]
            ).map(JourneyEntryRow.entry)
            return Dictionary(entries.map { ($0.profile, $0) }, uniquingKeysWith: { $1 })
        }
    }

    package func dueEntries(
        of journey: JourneyID,
        now: Date,
        limit: Int
    ) async throws -> [JourneyEntry] {
        try await read { [unreadable] database in
            let changed = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(JourneyEntryRow.columns) FROM journey_entries AS entries
                    WHERE journey_id = ? AND needs_look = 1 AND end IS NULL LIMIT ?
                    """,
                arguments: [journey.rawValue, limit]
            )
            let due = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(JourneyEntryRow.columns) FROM journey_entries AS entries
                    WHERE journey_id = ? AND end IS NULL AND due_at IS NOT NULL AND due_at <= ?
                    ORDER BY due_at, entries.id LIMIT ?
                    """,
                arguments: [journey.rawValue, now.milliseconds, limit - changed.count]
            )
            var seen: Set<JourneyEntryID> = []
            return try unreadable.values(
                changed + due,
                of: "journey_entries",
                JourneyEntryRow.entry
            ).filter { seen.insert($0.id).inserted }
        }
    }

    package func timeZones(of profiles: [ProfileID]) async throws -> [ProfileID: String] {
        let users = try StoredJSON.text(profiles)
        return try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT profiles.id, coalesce(standard ->> '$.time_zone', (
                        SELECT time_zone FROM devices WHERE profile_id = profiles.id
                        ORDER BY updated_at DESC, id LIMIT 1)) AS zone
                    FROM json_each(?) CROSS JOIN profiles ON profiles.id = CAST(value AS INTEGER)
                    """,
                arguments: [users]
            )
            var zones: [ProfileID: String] = [:]
            for row in rows { zones[ProfileID(row["id"])] = row["zone"] }
            return zones
        }
    }

    package func entryRequests(
        of journey: JourneyID,
        now: Date,
        limit: Int
    ) async throws -> [JourneyEntryRequest] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM journey_requests WHERE journey_id = ? AND due_at <= ?
                    ORDER BY due_at, id LIMIT ?
                    """,
                arguments: [journey.rawValue, now.milliseconds, limit]
            ).map { row in
                JourneyEntryRequest(
                    id: row["id"],
                    profile: ProfileID(row["profile_id"]),
                    properties: try JourneyEntryRow.properties(row["properties"]),
                    createdAt: Date(milliseconds: row["created_at"])
                )
            }
        }
    }

    package func requestEntries(
        _ users: [ProfileID: MessageProperties],
        into journey: JourneyID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws {
        try await write { database in
            for (profile, properties) in users.ordered(by: { $0.key }) {
                try Self.requestEntry(profile, properties, into: journey, now, database)
            }
            guard let journey = try Journey.fetch(journey, database) else { return }
            try Self.addAudit(audit, in: journey.workspace, database)
        }
    }

    static func requestEntry(
        _ profile: ProfileID,
        _ properties: MessageProperties,
        into journey: JourneyID,
        at schedule: (number: Int64, due: Date)? = nil,
        _ now: Date,
        _ database: Database
    ) throws {
        // A user may have been deleted since the request was read.
        try database.cachedStatement(
            sql: """
                INSERT INTO journey_requests
                    (journey_id, profile_id, properties, created_at, due_at, schedule_id)
                SELECT ?, id, ?, ?, ?, ? FROM profiles WHERE id = ?
                """
        ).execute(arguments: [
            journey.rawValue, try JourneyEntryRow.text(properties), now.milliseconds,
            schedule?.due.milliseconds ?? 0, schedule?.number, profile.rawValue,
        ])
    }

    package func knownMembers(
        of journey: JourneyID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        try await profiles(
            in: "journey_members",
            where: "journey_id",
            is: journey.rawValue,
            after: cursor,
            limit: limit
        )
    }

    package func commit(
        _ commit: JourneyCommit,
        now: Date
    ) async throws -> JourneyCommitResult? {
        try await write { [identities] database in
            var result: JourneyCommitResult?
            // What was written before a refusal is taken back.
            try database.inSavepoint {
                let writer = try JourneyWriter(database, identities, now)
                result = try writer.write(commit)
                return result == nil ? .rollback : .commit
            }
            return result
        }
    }
}
