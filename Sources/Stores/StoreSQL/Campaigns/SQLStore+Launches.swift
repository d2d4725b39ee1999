import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func launch(
        _ launch: LaunchRequest,
        now: Date
    ) async throws -> LaunchOutcome {
        try await write(mayRefuse: false) { database in
            if let known = try Self.known(launch, database) {
                try Self.advance(launch, sentAt: nil, database)
                return known
            }
            return try Self.make(launch, now, database)
        }
    }

    /// The earlier outcome of an occurrence; `nil` if it is new.
    static func known(
        _ launch: LaunchRequest,
        _ database: Database
    ) throws -> LaunchOutcome? {
        if let limit = launch.keyExpiredBefore {
            try database.cachedStatement(
                sql: """
                    DELETE FROM campaign_occurrences
                    WHERE campaign_id = ? AND key = ? AND created_at < ?
                    """
            ).execute(arguments: [launch.campaign.rawValue, launch.key, limit.milliseconds]
            )
        }
        guard
            let known = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Send.columns) FROM campaign_occurrences
                        LEFT JOIN sends ON sends.id = send_id
                        WHERE campaign_occurrences.campaign_id = ? AND key = ?
                        """
                ),
                arguments: [launch.campaign.rawValue, launch.key]
            )
        else { return nil }
        let id: Int64? = known["id"]
        return .known(try id.map { _ in try Send(row: known) })
    }

    /// Creates the send of a new occurrence.
    static func make(
        _ launch: LaunchRequest,
        _ now: Date,
        _ database: Database
    ) throws -> LaunchOutcome {
        guard let campaign = try Campaign.fetch(launch.campaign, database),
            campaign.state == .active,
            try consume(launch.triggers, database)
        else { return .outdated }
        if let advance = launch.advance,
            campaign.nextDueAt?.milliseconds != advance.expectedDueAt?.milliseconds
        {
            return .outdated
        }
        let send = try launch.content.map {
            try insertSend(
                $0,
                in: campaign.workspace,
                scheduledAt: launch.scheduledAt,
                now,
                database
            )
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO campaign_occurrences
                    (campaign_id, key, due_at, send_id, skip_reason, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            launch.campaign.rawValue, launch.key, launch.dueAt.milliseconds,
            send?.id.rawValue, launch.skipReason, now.milliseconds,
        ]
        )
        if let send { try insert(launch.properties, of: send.id, database) }
        try advance(launch, sentAt: send == nil ? nil : now, database)
        return send.map(LaunchOutcome.launched) ?? .skipped
    }

    /// Deletes the triggers that become a send.
    ///
    /// - Returns: `false` if some of them were no longer waiting.
    private static func consume(_ triggers: [Int64], _ database: Database) throws -> Bool {
        guard !triggers.isEmpty else { return true }
        let ids = try StoredJSON.text(triggers)
        let waiting =
            try Int.fetchOnly(
                database.cachedStatement(
                    sql: """
                        SELECT count(*) FROM pending_triggers
                        WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                        """
                ),
                arguments: [ids]
            )
        guard waiting == triggers.count else { return false }
        try database.cachedStatement(
            sql: """
                DELETE FROM pending_triggers
                WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """
        ).execute(arguments: [ids]
        )
        return true
    }

    private static func insert(
        _ properties: [ProfileID: MessageProperties],
        of send: SendID,
        _ database: Database
    ) throws {
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO send_properties (send_id, profile_id, properties)
                SELECT ?, id, ? FROM profiles WHERE id = ?
                """
        )
        for (profile, value) in properties where !value.isEmpty {
            try insert.execute(arguments: [
                send.rawValue, try StoredJSON.text(value), profile.rawValue,
            ])
        }
    }

    private static func advance(
        _ launch: LaunchRequest,
        sentAt: Date?,
        _ database: Database
    ) throws {
        if let advance = launch.advance {
            try database.cachedStatement(
                sql: """
                    UPDATE campaigns SET next_due_at = ?, is_over = ?
                    WHERE id = ? AND state = 'active' AND next_due_at IS ?
                    """
            ).execute(arguments: [
                advance.nextDueAt?.milliseconds, advance.isLast, launch.campaign.rawValue,
                advance.expectedDueAt?.milliseconds,
            ]
            )
        }
        guard let sentAt else { return }
        try database.cachedStatement(
            sql: """
                UPDATE campaigns SET first_sent_at = coalesce(first_sent_at, ?1),
                    last_sent_at = ?1
                WHERE id = ?2
                """
        ).execute(arguments: [sentAt.milliseconds, launch.campaign.rawValue]
        )
    }

    package func occurrences(
        of campaign: CampaignID,
        limit: Int
    ) async throws -> [CampaignOccurrence] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM campaign_occurrences WHERE campaign_id = ?
                    ORDER BY due_at DESC, key DESC LIMIT ?
                    """,
                arguments: [campaign.rawValue, limit]
            ).map { row in
                CampaignOccurrence(
                    key: row["key"],
                    dueAt: Date(milliseconds: row["due_at"]),
                    send: (row["send_id"] as Int64?).map { SendID($0) },
                    skipReason: row["skip_reason"],
                    createdAt: Date(milliseconds: row["created_at"])
                )
            }
        }
    }

    package func openSends(of campaign: CampaignID) async throws -> [Send] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(Send.columns) FROM sends WHERE campaign_id = ?
                        AND state NOT IN ('finished', 'cancelled') ORDER BY id
                        """,
                    arguments: [campaign.rawValue]
                ),
                of: "sends",
                Send.init(row:)
            )
        }
    }

    package func sends(
        of campaign: CampaignID,
        limit: Int,
        offset: Int
    ) async throws -> [Send] {
        try await sends(where: "campaign_id", is: campaign.rawValue, limit, offset)
    }

    package func saveTrackingID(
        _ id: String,
        of campaign: CampaignID,
        now: Date
    ) async throws -> Bool {
        try await write { database in
            guard let found = try Campaign.fetch(campaign, database) else { return false }
            return try Self.save(trackingID: id, of: found, now, database)
        }
    }

    /// Whether the id is new or already belongs to this campaign.
    static func save(
        trackingID id: String,
        of campaign: Campaign,
        _ now: Date,
        _ database: Database
    ) throws -> Bool {
        try database.execute(
            sql: "INSERT OR IGNORE INTO campaign_tracking_ids VALUES (?, ?, ?, ?)",
            arguments: [
                campaign.workspace.rawValue, id, campaign.id.rawValue, now.milliseconds,
            ]
        )
        return try Int64.fetchOne(
            database,
            sql: """
                SELECT campaign_id FROM campaign_tracking_ids
                WHERE workspace_id = ? AND tracking_id = ?
                """,
            arguments: [campaign.workspace.rawValue, id]
        ) == campaign.id.rawValue
    }
}
