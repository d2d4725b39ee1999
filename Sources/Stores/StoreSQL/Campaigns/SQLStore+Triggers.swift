import Foundation
import Model
import Ports
import Relational

extension SQLStore: TriggerStore {
    package func triggerCursor() async throws -> Int64 {
        try await read { database in
            try Int64.fetchOnly(
                database.cachedStatement(sql: "SELECT position FROM trigger_cursor"),
                arguments: []
            )
        }
    }

    package func events(
        after cursor: Int64,
        named names: [WorkspaceID: Set<String>],
        limit: Int
    ) async throws -> TriggerPage {
        try await read { [unreadable] database in
            let ids = try names.flatMap { workspace, names in
                try Int64.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT id FROM event_names WHERE workspace_id = ?
                            AND name IN (SELECT value FROM json_each(?))
                            """
                    ),
                    arguments: [workspace.rawValue, try StoredJSON.text(names.sorted())]
                )
            }
            let last = try database.last(of: "events")
            let end = min(last, cursor + Int64(limit))
            guard end > cursor else { return TriggerPage(events: [], end: cursor, hasMore: false) }
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT events.id, workspace_id, profile_id, name, time, properties
                        FROM events NOT INDEXED CROSS JOIN event_names ON event_names.id = name_id
                        WHERE events.id > ? AND events.id <= ?
                            AND name_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                        ORDER BY events.id
                        """
                ),
                arguments: [cursor, end, try StoredJSON.text(ids)]
            )
            let events = try unreadable.values(rows, of: "events") { row in
                TriggerPage.Event(
                    id: row["id"],
                    workspace: WorkspaceID(row["workspace_id"]),
                    profile: ProfileID(row["profile_id"]),
                    name: row["name"],
                    time: try StoredTime.date(row["time"]),
                    properties: try StoredJSON.object(row["properties"])
                )
            }
            return TriggerPage(events: events, end: end, hasMore: last > end)
        }
    }

    package func commitTriggers(
        _ changes: [TriggerChange],
        from origin: Int64,
        to end: Int64
    ) async throws -> Bool {
        try await write(mayRefuse: false) { database in
            try database.cachedStatement(
                sql: "UPDATE trigger_cursor SET position = ? WHERE position = ?"
            ).execute(arguments: [end, origin]
            )
            guard try database.changesCount > 0 else { return false }
            for change in changes {
                switch change {
                case .add(let trigger):
                    try Self.insert(trigger, database)
                case .cancel(let campaign, let profile, let time):
                    try database.cachedStatement(
                        sql: """
                            DELETE FROM pending_triggers
                            WHERE profile_id = ? AND campaign_id = ? AND triggered_at <= ?
                            """
                    ).execute(arguments: [profile.rawValue, campaign.rawValue, time.milliseconds]
                    )
                }
            }
            return true
        }
    }

    private static func insert(_ trigger: NewTrigger, _ database: Database) throws {
        // A user may have been deleted since the event was read.
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO pending_triggers
                    (campaign_id, profile_id, event_id, triggered_at, due_at, properties)
                SELECT ?, id, ?, ?, ?, ? FROM profiles WHERE id = ?
                """
        ).execute(arguments: [
            trigger.campaign.rawValue, trigger.event, trigger.triggeredAt.milliseconds,
            trigger.dueAt.milliseconds, try StoredJSON.text(trigger.properties),
            trigger.profile.rawValue,
        ])
    }

    package func dueTriggers(now: Date, limit: Int) async throws -> [PendingTrigger] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT pending_triggers.* FROM pending_triggers
                        JOIN campaigns ON campaigns.id = campaign_id
                        WHERE campaigns.state = 'active' AND due_at <= ?
                            AND \(SendingHoldSchema.isReleased)
                        ORDER BY due_at, pending_triggers.id LIMIT ?
                        """
                ),
                arguments: [now.milliseconds, limit]
            ).map { row in
                PendingTrigger(id: row["id"], trigger: try NewTrigger(row: row))
            }
        }
    }

    package func pendingTriggers(
        of profile: ProfileID,
        in campaign: CampaignID
    ) async throws -> [NewTrigger] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM pending_triggers WHERE profile_id = ? AND campaign_id = ?
                    ORDER BY due_at
                    """,
                arguments: [profile.rawValue, campaign.rawValue]
            ).map(NewTrigger.init(row:))
        }
    }

    package func pendingTriggerCount(of campaign: CampaignID) async throws -> Int {
        try await read { database in
            try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM pending_triggers WHERE campaign_id = ?",
                arguments: [campaign.rawValue]
            )
        }
    }
}

extension NewTrigger {
    fileprivate init(row: Row) throws {
        self.init(
            campaign: CampaignID(row["campaign_id"]),
            profile: ProfileID(row["profile_id"]),
            event: row["event_id"],
            triggeredAt: Date(milliseconds: row["triggered_at"]),
            dueAt: Date(milliseconds: row["due_at"]),
            properties: try StoredJSON.object(row["properties"])
        )
    }
}
