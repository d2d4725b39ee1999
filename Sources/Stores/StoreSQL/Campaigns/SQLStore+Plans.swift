import Foundation
import Model
import Ports
import Relational

extension SQLStore: PlanStore {
    package func profiles(
        in workspace: WorkspaceID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        try await read { database in
            // In primary-key order: the rows of an index by workspace would have to be sorted.
            try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id FROM profiles NOT INDEXED WHERE workspace_id = ? AND id > ?
                        ORDER BY id LIMIT ?
                        """
                ),
                arguments: [workspace.rawValue, cursor?.rawValue ?? 0, limit]
            ).map { ProfileID($0) }
        }
    }

    package func recipients(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        reaching reach: DeviceTargeting,
        campaign: CampaignID?,
        ownContactsSince own: Date,
        contactsSince start: Date,
        before send: SendID?
    ) async throws -> [CampaignRecipient] {
        let ids = try StoredJSON.text(profiles)
        return try await read { database in
            var recipients: [CampaignRecipient] = []
            // The platforms for which the user's latest device has been read.
            var known: Set<MessagePlatform> = []
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT profiles.id, profiles.standard ->> '$.time_zone' AS own_zone,
                            devices.id AS device, devices.time_zone AS zone, devices.platform,
                            \(ReachableDevices.condition(reach.state)) AS is_reachable
                        FROM json_each(:ids)
                        CROSS JOIN profiles ON profiles.id = CAST(value AS INTEGER)
                        LEFT JOIN devices ON devices.profile_id = profiles.id
                        WHERE profiles.workspace_id = :workspace
                        ORDER BY profiles.id, devices.updated_at DESC, devices.id
                        """
                ),
                arguments: ["ids": ids, "workspace": workspace.rawValue]
            )
            while let row = try rows.next() {
                // By index: comparing their names for every row would be slow.
                let profile = ProfileID(row[0])
                if recipients.last?.profile != profile {
                    known = []
                    recipients.append(
                        CampaignRecipient(
                            profile: profile,
                            timeZone: row[1] ?? row[3],
                            devices: []
                        )
                    )
                }
                guard row[5] ?? false else { continue }
                if !reach.latestOnly.isEmpty {
                    let platform = MessagePlatform(device: row[4])
                    let isLatest = known.insert(platform).inserted
                    guard isLatest || !reach.latestOnly.contains(platform) else { continue }
                }
                recipients[recipients.count - 1].devices.append(DeviceID(row[2]))
            }
            guard let campaign else { return recipients }
            let contacts = try Self.contacts(ids, campaign, own, start, send, database)
            for index in recipients.indices {
                recipients[index].contacts = contacts[recipients[index].profile] ?? []
            }
            return recipients
        }
    }

    /// Dispatches that were rejected or skipped did not reach their user and do not count.
    private static func contacts(
        _ ids: String,
        _ campaign: CampaignID,
        _ own: Date,
        _ start: Date,
        _ before: SendID?,
        _ database: Database
    ) throws -> [ProfileID: [CampaignExposure]] {
        // Of a user with a long history, a few rows of one campaign are asked for again and again.
        if start == .distantFuture, before == nil,
            let launches = try RecentLaunches(of: campaign, since: own, database)
        {
            var found: [ProfileID: [CampaignExposure]] = [:]
            if let first = launches.ofControl {
                found = try contacts(
                    database,
                    from: "campaign_entries AS entries INDEXED BY campaign_entries_control",
                    where: """
                        entries.is_control AND entries.campaign_id = :campaign
                            AND entries.send_id >= :first AND entries.due_at >= :own
                        """,
                    [
                        "ids": ids, "campaign": campaign.rawValue, "first": first,
                        "own": own.milliseconds,
                    ]
                )
            }
            guard !launches.ofAll.isEmpty else { return found }
            let others = try contacts(
                database,
                where: """
                    entries.send_id IN (SELECT CAST(value AS INTEGER) FROM json_each(:launches))
                        AND entries.due_at >= :own
                        \(launches.ofControl == nil ? "" : "AND NOT entries.is_control")
                    """,
                [
                    "ids": ids, "launches": try StoredJSON.text(launches.ofAll),
                    "own": own.milliseconds,
                ]
            )
            return found.merging(others) { ($0 + $1).ordered { $0.send } }
        }
        return try contacts(
            database,
            where: """
                (entries.due_at >= :start
                        OR entries.campaign_id = :campaign AND entries.due_at >= :own)
                    AND entries.send_id < :before
                """,
            [
                "ids": ids, "campaign": campaign.rawValue, "own": own.milliseconds,
                "start": start.milliseconds, "before": before?.rawValue ?? Int64.max,
            ]
        )
    }

    private static func contacts(
        _ database: Database,
        from entries: String = "campaign_entries AS entries",
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [ProfileID: [CampaignExposure]] {
        var contacts: [ProfileID: [CampaignExposure]] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT entries.profile_id, entries.campaign_id, entries.send_id,
                        entries.due_at, entries.is_control, entries.variant, entries.counts_for_caps
                    FROM json_each(:ids) AS wanted
                    CROSS JOIN \(entries)
                        ON entries.profile_id = CAST(wanted.value AS INTEGER)
                    WHERE \(condition)
                        AND (entries.is_control OR EXISTS (
                            SELECT TRUE FROM \(OpenSends.rowsOfUser)
                            WHERE dispatches.send_id = entries.send_id
                                AND dispatches.profile_id = entries.profile_id
                                AND dispatches.state IN (0, 1, 2, 4))
                            OR EXISTS (
                                SELECT TRUE FROM removed_recipients AS removed
                                WHERE removed.send_id = entries.send_id
                                    AND removed.profile_id = entries.profile_id
                                    AND removed.was_reached = 1))
                    ORDER BY entries.profile_id, entries.send_id
                    """
            ),
            arguments: arguments
        )
        while let row = try rows.next() {
            contacts[ProfileID(row[0]), default: []].append(
                CampaignExposure(
                    campaign: CampaignID(row[1]),
                    send: SendID(row[2]),
                    time: Date(milliseconds: row[3]),
                    variant: row[4] ? nil : row[5],
                    countsForCaps: row[6]
                )
            )
        }
        return contacts
    }

    package func planCursor(of send: SendID) async throws -> ProfileID? {
        try await cursor(of: send, column: "plan_cursor")
    }

    package func snapshotCursor(of send: SendID) async throws -> ProfileID? {
        try await cursor(of: send, column: "extraction_cursor")
    }

    private func cursor(of send: SendID, column: String) async throws -> ProfileID? {
        try await read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT \(column) FROM sends WHERE id = ?"),
                arguments: [send.rawValue]
            ).flatMap { $0 == 0 ? nil : ProfileID($0) }
        }
    }

    package func commitPlan(
        _ chunk: RecipientBatch,
        of send: SendID,
        now: Date
    ) async throws -> Bool {
        try await write(mayRefuse: false) { database in
            try database.cachedStatement(
                sql: """
                    UPDATE sends SET plan_cursor = ?, state = ?
                    WHERE id = ? AND state = 'planning' AND plan_cursor = ?
                    """
            ).execute(arguments: [
                (chunk.end ?? chunk.origin)?.rawValue ?? 0,
                (chunk.isComplete ? SendState.sending : .planning).rawValue,
                send.rawValue, chunk.origin?.rawValue ?? 0,
            ]
            )
            guard try database.changesCount > 0 else { return false }
            try PlanWriter(send: send, now: now, database).write(chunk)
            return true
        }
    }

    package func exclusions(of send: SendID) async throws -> [String: Int] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT reason, users FROM send_exclusions WHERE send_id = ?",
                arguments: [send.rawValue]
            )
            return Dictionary(
                rows.map { ($0["reason"], $0["users"]) },
                uniquingKeysWith: { $1 }
            )
        }
    }

    package func sendsAwaitingSnapshot() async throws -> [Send] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT \(Send.columns) FROM sends WHERE extraction = 1 AND state = 'scheduled' ORDER BY id
                            """
                    )
                ),
                of: "sends",
                Send.init(row:)
            )
        }
    }

    package func list(
        _ profiles: [ProfileID],
        asRecipientsOf send: SendID,
        after origin: ProfileID?,
        isComplete: Bool
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE sends SET extraction_cursor = ?, extraction = ?
                    WHERE id = ? AND extraction = 1 AND state = 'scheduled'
                        AND extraction_cursor = ?
                    """,
                arguments: [
                    (profiles.last ?? origin)?.rawValue ?? 0, isComplete ? 2 : 1, send.rawValue,
                    origin?.rawValue ?? 0,
                ]
            )
            guard try database.changesCount > 0 else { return false }
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO send_recipients (send_id, profile_id)
                    SELECT ?, CAST(value AS INTEGER) FROM json_each(?)
                    """,
                arguments: [send.rawValue, try StoredJSON.text(profiles)]
            )
            return true
        }
    }

    package func snapshotRecipients(
        of send: SendID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        try await profiles(
            in: "send_recipients",
            where: "send_id",
            is: send.rawValue,
            after: cursor,
            limit: limit
        )
    }

    package func snapshotContains(_ profile: ProfileID, of send: SendID) async throws -> Bool? {
        try await read { database in
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT extraction, state, EXISTS (SELECT TRUE FROM send_recipients
                            WHERE send_id = sends.id AND profile_id = ?)
                        FROM sends WHERE id = ?
                        """,
                    arguments: [profile.rawValue, send.rawValue]
                )
            else { return nil }
            if row[2] { return true }
            let extraction: Int = row[0]
            let state = SendState(rawValue: row[1])
            // A send planned by an earlier version no longer has its list.
            return extraction == 3 || extraction == 2 && (state == .scheduled || state == .planning)
                ? false : nil
        }
    }

    package func entries(
        of profile: ProfileID,
        in campaign: CampaignID
    ) async throws -> [CampaignParticipation] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT entries.*, min(dispatches.accepted_at) AS accepted_at,
                        min(dispatches.received_at) AS received_at,
                        min(dispatches.opened_at) AS opened_at,
                        min(dispatches.influenced_at) AS influenced_at,
                        min(removed.sent_at) AS removed_accepted_at,
                        min(removed.received_at) AS removed_received_at,
                        min(removed.opened_at) AS removed_opened_at,
                        min(removed.influenced_at) AS removed_influenced_at
                    FROM campaign_entries AS entries
                    LEFT JOIN \(OpenSends.rowsOfUser) ON dispatches.send_id = entries.send_id
                        AND dispatches.profile_id = entries.profile_id
                    LEFT JOIN removed_recipients AS removed ON removed.send_id = entries.send_id
                        AND removed.profile_id = entries.profile_id
                    WHERE entries.profile_id = ? AND entries.campaign_id = ?
                    GROUP BY entries.profile_id, entries.send_id ORDER BY entries.send_id DESC
                    """,
                arguments: [profile.rawValue, campaign.rawValue]
            ).map { row in
                // Of several devices a step of the removal may have taken some.
                func time(_ column: String) -> Date? {
                    [row[column] as Int64?, row["removed_\(column)"] as Int64?]
                        .compactMap(\.self).min().map(Date.init(milliseconds:))
                }
                var entry = CampaignParticipation(
                    send: SendID(row["send_id"]),
                    variant: row["variant"],
                    isControl: row["is_control"],
                    dueAt: Date(milliseconds: row["due_at"])
                )
                entry.acceptedAt = time("accepted_at")
                entry.receivedAt = time("received_at")
                entry.openedAt = time("opened_at")
                entry.influencedAt = time("influenced_at")
                return entry
            }
        }
    }
}
