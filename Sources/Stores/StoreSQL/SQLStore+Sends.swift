import Foundation
import Model
import Ports
import Relational

extension SQLStore: SendStore {
    package func createSend(
        _ content: SendContent,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> Send {
        try await write { database in
            let send = try Self.insertSend(
                content,
                in: workspace,
                scheduledAt: scheduledAt,
                now,
                database
            )
            try Self.addAudit(audit(send.id), in: workspace, database)
            return send
        }
    }

    static func insertSend(
        _ content: SendContent,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        _ now: Date,
        _ database: Database
    ) throws -> Send {
        let publicID = UUID()
        let text = try StoredJSON.text(content)
        let launch = try text.storeLaunch(of: content.launch?.campaign, database)
        let number = try Int64.fetchOnly(
            database.cachedStatement(
                sql: """
                    INSERT INTO sends (public_id, workspace_id, content, state, scheduled_at,
                        created_at, campaign_id, tracking_id, extraction, launch_content_id, journey_step_id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM journey_steps
                        WHERE journey_id = ? AND step = ?))
                    RETURNING id
                    """
            ),
            arguments: [
                publicID,
                workspace.rawValue, text.own, SendState.scheduled.rawValue,
                scheduledAt.milliseconds, now.milliseconds, content.launch?.campaign.rawValue,
                content.launch?.trackingID, content.extraction == .whenScheduled ? 1 : 0, launch,
                content.launch?.journey?.journey.rawValue, content.launch?.journey?.step.uuid,
            ]
        )
        return Send(
            id: SendID(number),
            publicID: publicID,
            workspace: workspace,
            content: content,
            state: .scheduled,
            scheduledAt: scheduledAt,
            createdAt: now
        )
    }

    package func send(_ id: SendID) async throws -> Send? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(Send.columns) FROM sends WHERE id = ?"),
                arguments: [id.rawValue]
            ).map(Send.init(row:))
        }
    }

    package func send(publicID: UUID, in workspace: WorkspaceID) async throws -> Send? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Send.columns) FROM sends WHERE public_id = ? AND workspace_id = ?
                        """
                ),
                arguments: [publicID, workspace.rawValue]
            ).map(Send.init(row:))
        }
    }

    package func sends(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [Send] {
        try await sends(where: "workspace_id", is: workspace.rawValue, limit, offset)
    }

    /// A page of the sends of one thing, newest first.
    func sends(
        where column: String,
        is id: Int64,
        _ limit: Int,
        _ offset: Int
    ) async throws -> [Send] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(Send.columns) FROM sends WHERE \(column) = ? ORDER BY id DESC LIMIT ? OFFSET ?
                        """,
                    arguments: [id, limit, offset]
                ),
                of: "sends",
                Send.init(row:)
            )
        }
    }

    package func updateScheduledSend(
        _ id: SendID,
        content: SendContent,
        scheduledAt: Date,
        ofDraft draft: UUID?,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            guard
                try Self.updateScheduledSend(
                    id,
                    content: content,
                    scheduledAt: scheduledAt,
                    database
                ),
                let workspace = try Int64.fetchOne(
                    database,
                    sql: "SELECT workspace_id FROM sends WHERE id = ?",
                    arguments: [id.rawValue]
                ).map({ WorkspaceID($0) })
            else { return false }
            try EditOrigin(draft: draft).finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    static func updateScheduledSend(
        _ id: SendID,
        content: SendContent,
        scheduledAt: Date,
        _ database: Database
    ) throws -> Bool {
        let text = try StoredJSON.text(content)
        guard
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT \(Send.columns) FROM sends WHERE id = ? AND state = 'scheduled'
                    """,
                arguments: [id.rawValue]
            )
        else { return false }
        let old = try Send.content(of: row)
        try database.execute(
            sql: """
                UPDATE sends SET content = ?, launch_content_id = ?, scheduled_at = ? WHERE id = ?
                """,
            arguments: [
                text.own, try text.storeLaunch(of: content.launch?.campaign, database),
                scheduledAt.milliseconds, id.rawValue,
            ]
        )
        if old.audience != content.audience || old.extraction != content.extraction {
            try database.execute(
                sql: "UPDATE sends SET extraction = ?, extraction_cursor = 0 WHERE id = ?",
                arguments: [content.extraction == .whenScheduled ? 1 : 0, id.rawValue]
            )
            try database.execute(
                sql: "DELETE FROM send_recipients WHERE send_id = ?",
                arguments: [id.rawValue]
            )
        }
        return true
    }

    package func startPlanningDueSends(now: Date) async throws -> [Send] {
        // Most calls find nothing: a reader answers without waiting for the writer, and looks at no send that is
        // being sent.
        let hasDue = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT (EXISTS (SELECT TRUE FROM sends
                                WHERE \(OpenSends.condition) AND state = 'planning')
                            OR EXISTS (SELECT TRUE FROM sends WHERE \(OpenSends.condition)
                                AND state = 'scheduled' AND scheduled_at <= ? AND extraction <> 1))
                            AND \(SendingHoldSchema.isReleased)
                        """
                ),
                arguments: [now.milliseconds]
            ) ?? false
        }
        guard hasDue else { return [] }
        return try await write(mayRefuse: false) { [unreadable] database in
            try database.cachedStatement(
                sql: """
                    UPDATE sends SET state = 'planning', started_at = coalesce(started_at, ?)
                    WHERE \(OpenSends.condition) AND state = 'scheduled' AND scheduled_at <= ?
                        AND extraction <> 1
                    """
            ).execute(arguments: [now.milliseconds, now.milliseconds]
            )
            return try unreadable.values(
                Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT \(Send.columns) FROM sends WHERE \(OpenSends.condition) AND state = 'planning'
                            ORDER BY id
                            """
                    )
                ),
                of: "sends",
                Send.init(row:)
            )
        }
    }

    package func planNextBatch(
        of send: SendID,
        limit: Int,
        now: Date
    ) async throws -> RecipientBatchResult {
        try await write { database in
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: "SELECT \(Send.columns) FROM sends WHERE id = ? AND state = 'planning'",
                    arguments: [send.rawValue]
                )
            else { return RecipientBatchResult(added: 0, isComplete: true) }
            let cursor: Int64 = row["plan_cursor"]
            let recipients = try Self.recipients(
                of: try Send(row: row),
                after: cursor,
                limit: limit,
                database
            )
            let insert = try database.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO dispatches
                        (send_id, device_id, profile_id, state, due_at, lane, updated_at)
                    VALUES (?, ?, ?, 0, ?, ?, ?) RETURNING device_id
                    """
            )
            let arguments: [StatementArguments] = recipients.map { recipient in
                [
                    send.rawValue, recipient.device, recipient.profile, now.milliseconds,
                    recipient.lane, now.milliseconds,
                ]
            }
            var added: [Int64] = []
            try insert.forEachRow(arguments) { added.append($0[0]) }
            try FactLog(database).planned(added, of: send, at: now.milliseconds)
            var counts = DispatchCountDeltas()
            counts.add(added.count, to: send.rawValue, .queued, nil)
            try counts.write(database)
            let isComplete = recipients.count < limit
            try database.execute(
                sql: "UPDATE sends SET plan_cursor = ?, state = ? WHERE id = ?",
                arguments: [
                    recipients.last?.device ?? cursor,
                    (isComplete ? SendState.sending : .planning).rawValue, send.rawValue,
                ]
            )
            return RecipientBatchResult(added: recipients.count, isComplete: isComplete)
        }
    }

    private struct Recipient {
        var device: Int64
        var profile: Int64
        var lane: Int64
    }

    private static func recipients(
        of send: Send,
        after cursor: Int64,
        limit: Int,
        _ database: Database
    ) throws -> [Recipient] {
        let audience = try AudienceCondition(send.content.audience)
        let arguments: StatementArguments =
            [send.workspace.rawValue, cursor] + audience.arguments
        return try Row.fetchAll(
            database,
            sql: """
                SELECT devices.id AS device, devices.profile_id AS profile,
                    \(LaneOfDevice.sql) AS lane
                FROM devices JOIN profiles ON profiles.id = devices.profile_id
                WHERE \(audience.unindexed)devices.workspace_id = ?
                    AND \(audience.unindexed)devices.id > ? AND \(ReachableDevices.condition)
                    AND \(audience.sql)
                ORDER BY devices.id LIMIT ?
                """,
            arguments: arguments + [limit]
        ).map { Recipient(device: $0["device"], profile: $0["profile"], lane: $0["lane"]) }
    }

    package func markFinishedSends(now: Date) async throws -> [SendID] {
        let condition = """
            \(OpenSends.condition) AND state = 'sending' AND NOT EXISTS (
                SELECT TRUE FROM \(OpenSends.waitingRows) WHERE send_id = sends.id AND state = 0)
            AND NOT EXISTS (SELECT TRUE FROM dispatch_leases WHERE send_id = sends.id)
            """
        let areReady = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT TRUE FROM sends WHERE \(condition))"
                )
            ) ?? false
        }
        guard areReady else { return [] }
        return try await write(mayRefuse: false) { database in
            let finished = try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        UPDATE sends SET state = 'finished', finished_at = ? WHERE \(condition)
                        RETURNING id
                        """
                ),
                arguments: [now.milliseconds]
            )
            // Those of sends that were stopped leave with the next one that ends.
            try database.cachedStatement(
                sql: """
                    DELETE FROM send_blocks WHERE EXISTS (
                        SELECT TRUE FROM sends
                        WHERE id = send_id AND state IN ('finished', 'cancelled'))
                    """
            ).execute(arguments: [])
            return finished.map { SendID($0) }
        }
    }
}

extension Send {
    /// What `init(row:)` reads.
    static let columns = """
        sends.*, (SELECT launch_contents.content FROM launch_contents
            WHERE launch_contents.id = launch_content_id) AS launch_content
        """

    static func content(of row: Row) throws -> SendContent {
        try StoredJSON.content(row["content"], launch: row["launch_content"])
    }

    /// - Parameter row: Has `columns`.
    init(row: Row) throws {
        guard let state = SendState(rawValue: row["state"]) else {
            throw StoreError.unknownValue("state", in: row)
        }
        self.init(
            id: SendID(row["id"]),
            publicID: try StoredUUID.value(row, "public_id"),
            workspace: WorkspaceID(row["workspace_id"]),
            content: try Self.content(of: row),
            state: state,
            scheduledAt: Date(milliseconds: row["scheduled_at"]),
            createdAt: Date(milliseconds: row["created_at"]),
            startedAt: (row["started_at"] as Int64?).map(Date.init(milliseconds:)),
            finishedAt: (row["finished_at"] as Int64?).map(Date.init(milliseconds:))
        )
    }
}
