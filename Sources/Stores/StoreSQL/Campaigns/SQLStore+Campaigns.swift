import Foundation
import Model
import Ports
import Relational

extension SQLStore: CampaignStore {
    package func createCampaign(
        _ content: CampaignContent,
        apiID: UUID,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: @escaping @Sendable (CampaignID) -> AuditRecord?,
        now: Date
    ) async throws -> Campaign {
        try await write { database in
            try origin.begin(in: workspace, database)
            let number = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO campaigns (workspace_id, api_id, state, name, content,
                        is_triggered, created_at, updated_at)
                    VALUES (?, ?, 'draft', ?, ?, ?, ?, ?) RETURNING id
                    """,
                arguments: [
                    workspace.rawValue, apiID, content.name, try StoredJSON.text(content),
                    content.isTriggered, now.milliseconds, now.milliseconds,
                ]
            )
            let id = CampaignID(number)
            let numbered = try CampaignVariantRows(campaign: id, database: database)
                .numbered(content)
            try database.execute(
                sql: "UPDATE campaigns SET content = ? WHERE id = ?",
                arguments: [try StoredJSON.text(numbered), id.rawValue]
            )
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit(id), in: workspace, database)
            return Campaign(
                id: id,
                workspace: workspace,
                apiID: apiID,
                state: .draft,
                content: numbered,
                createdAt: now,
                updatedAt: now
            )
        }
    }

    package func campaign(_ id: CampaignID) async throws -> Campaign? {
        try await read { database in try Campaign.fetch(id, database) }
    }

    package func campaign(apiID: UUID, in workspace: WorkspaceID) async throws -> Campaign? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT * FROM campaigns
                    WHERE api_id = ? AND workspace_id = ? AND journey_step_id IS NULL
                    """,
                arguments: [apiID, workspace.rawValue]
            ).map(Campaign.init(row:))
        }
    }

    package func campaigns(
        in workspace: WorkspaceID,
        matching query: CampaignQuery,
        withJourneys: Bool
    ) async throws -> (campaigns: [Campaign], total: Int) {
        var page = PagedQuery(
            "campaigns",
            workspace: workspace.rawValue,
            limit: query.limit,
            offset: query.offset
        )
        try page.filter(
            query,
            content: "content",
            states: CampaignState.allCases.filter { $0 != .archived }
        )
        if !withJourneys { page.filter("journey_step_id IS NULL") }
        let order = Self.order(query.order)
        let found = try await read { [page, unreadable] in
            try page.fetch($0, unreadable, orderedBy: order, Campaign.init(row:))
        }
        return (found.items, found.total)
    }

    private static func order(_ order: CampaignQuery.Order) -> String {
        let delivered = "(\(delivered("campaigns.id")))"
        switch order {
        case .newestFirst: return "id DESC"
        case .oldestFirst: return "id"
        case .name: return "lower(name), id"
        case .nextDue: return "next_due_at NULLS LAST, id"
        case .lastSent: return "last_sent_at DESC NULLS LAST, id DESC"
        case .delivered: return "\(delivered) DESC, id DESC"
        case .openRate:
            return
                "1.0 * (\(opened("campaigns.id"))) / nullif(\(delivered), 0) DESC NULLS LAST, id DESC"
        }
    }

    package func numbered(
        _ content: CampaignContent,
        of campaign: CampaignID
    ) async throws -> CampaignContent {
        try await write { database in
            try CampaignVariantRows(campaign: campaign, database: database).numbered(content)
        }
    }

    package func variantRecords(
        of campaign: CampaignID
    ) async throws -> [CampaignVariantRecord] {
        try await read { database in
            try CampaignVariantRows(campaign: campaign, database: database).records()
        }
    }

    package func updateCampaign(
        _ id: CampaignID,
        in state: CampaignState,
        content: CampaignContent,
        nextDueAt: Date?,
        reserved: [ReservedSend],
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CampaignUpdate {
        let text = try StoredJSON.text(content)
        return try await write { database in
            let owner = try Int64.fetchOne(
                database,
                sql: "SELECT workspace_id FROM campaigns WHERE id = ?",
                arguments: [id.rawValue]
            )
            guard let workspace = owner.map({ WorkspaceID($0) }) else { return .moved }
            try origin.begin(in: workspace, database)
            try origin.check(
                "SELECT updated_at FROM campaigns WHERE id = ?",
                id.rawValue,
                database
            )
            let waiting = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM sends
                    WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                        AND state = 'scheduled'
                    """,
                arguments: [try StoredJSON.text(reserved.map(\.id))]
            )
            guard waiting == reserved.count else { return .sendMoved }
            try database.execute(
                sql: """
                    UPDATE campaigns SET name = :name, content = :content,
                        is_triggered = :triggered,
                        is_over = iif(is_over AND :due IS NULL, 1, 0), next_due_at = :due,
                        updated_at = max(:now, updated_at + 1)
                    WHERE id = :id AND state = :state
                    """,
                arguments: [
                    "name": content.name, "content": text, "triggered": content.isTriggered,
                    "due": nextDueAt?.milliseconds, "now": now.milliseconds, "id": id.rawValue,
                    "state": state.rawValue,
                ]
            )
            guard try database.changesCount > 0 else { return .moved }
            for send in reserved {
                _ = try Self.updateScheduledSend(
                    send.id,
                    content: send.content,
                    scheduledAt: send.scheduledAt,
                    database
                )
            }
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit, in: workspace, database)
            return .updated
        }
    }

    package func transitionCampaign(
        _ id: CampaignID,
        from origins: Set<CampaignState>,
        to state: CampaignState,
        nextDueAt: Date?,
        version: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [SendID]? {
        let moved: [SendID]? = try await write { database in
            if state == .active {
                // No events were read while no campaign waited for any: start with the next event.
                try database.execute(
                    sql: """
                        UPDATE trigger_cursor
                        SET position = (SELECT coalesce(max(id), 0) FROM events)
                        WHERE NOT EXISTS (
                            SELECT TRUE FROM campaigns WHERE state = 'active' AND is_triggered)
                        """
                )
            }
            try database.execute(
                sql: """
                    UPDATE campaigns SET state = :state, next_due_at = :due,
                        updated_at = max(:now, updated_at + 1),
                        is_over = CASE WHEN :state = 'active' AND state <> 'paused'
                            THEN 0 ELSE is_over END,
                        activated_at = CASE WHEN :state = 'active' AND state <> 'paused'
                            THEN :now ELSE activated_at END
                    WHERE id = :id AND state IN (SELECT value FROM json_each(:origins))
                        AND (:version IS NULL OR updated_at = :version)
                    """,
                arguments: [
                    "state": state.rawValue, "due": nextDueAt?.milliseconds,
                    "now": now.milliseconds, "id": id.rawValue,
                    "version": version?.milliseconds,
                    "origins": try StoredJSON.text(origins.map(\.rawValue).sorted()),
                ]
            )
            guard try database.changesCount > 0 else { return nil }
            if let audit,
                let workspace = try Int64.fetchOne(
                    database,
                    sql: "SELECT workspace_id FROM campaigns WHERE id = ?",
                    arguments: [id.rawValue]
                )
            {
                try Self.addAudit(audit, in: WorkspaceID(workspace), database)
            }
            if state == .stopped || state == .archived {
                try database.execute(
                    sql: "DELETE FROM pending_triggers WHERE campaign_id = ?",
                    arguments: [id.rawValue]
                )
            }
            return try Self.moveSends(of: id, with: state, now, database)
        }
        if state == .stopped {
            for send in moved ?? [] { try await skipQueued(of: send, now: now) }
        }
        return moved
    }

    /// Applies the campaign's state to its open sends.
    ///
    /// - Returns: The sends that have changed.
    static func moveSends(
        of campaign: CampaignID,
        with state: CampaignState,
        _ now: Date,
        _ database: Database
    ) throws -> [SendID] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM sends WHERE campaign_id = ?
                AND state NOT IN ('finished', 'cancelled') ORDER BY id
                """,
            arguments: [campaign.rawValue]
        ).map { SendID($0) }.filter { send in
            switch state {
            case .paused: try pauseSend(send, database)
            case .active: try resumeSend(send, database)
            case .stopped: try cancelSend(send, now, database)
            case .draft, .archived: false
            }
        }
    }

    package func dueCampaigns(now: Date) async throws -> [Campaign] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT * FROM campaigns WHERE state = 'active' AND next_due_at <= ?
                                AND \(SendingHoldSchema.isReleased)
                            ORDER BY next_due_at, id
                            """
                    ),
                    arguments: [now.milliseconds]
                ),
                of: "campaigns",
                Campaign.init(row:)
            )
        }
    }

    package func triggeredCampaigns() async throws -> [Campaign] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT * FROM campaigns WHERE state = 'active' AND is_triggered ORDER BY id
                            """
                    )
                ),
                of: "campaigns",
                Campaign.init(row:)
            )
        }
    }

    package func markFinishedCampaigns(now: Date) async throws -> [CampaignID] {
        let condition = """
            state = 'active' AND is_over AND NOT EXISTS (
                SELECT TRUE FROM sends WHERE campaign_id = campaigns.id
                AND sends.state NOT IN ('finished', 'cancelled'))
            """
        let areReady = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT TRUE FROM campaigns WHERE \(condition))"
                )
            ) ?? false
        }
        guard areReady else { return [] }
        return try await write(mayRefuse: false) { database in
            try Int64.fetchAll(
                database.cachedStatement(
                    sql: "UPDATE campaigns SET state = 'stopped' WHERE \(condition) RETURNING id"
                )
            ).map { CampaignID($0) }
        }
    }

    package func limits(of workspace: WorkspaceID) async throws -> MessagingLimits {
        try await read { try Self.limits(of: workspace, $0) }
    }

    private static func limits(
        of workspace: WorkspaceID,
        _ database: Database
    ) throws -> MessagingLimits {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT content FROM workspace_limits WHERE workspace_id = ?"
            ),
            arguments: [workspace.rawValue]
        ).map { try StoredJSON.value($0, as: MessagingLimits.self) } ?? MessagingLimits()
    }

    package func changeLimits(
        of workspace: WorkspaceID,
        _ change: @escaping @Sendable (inout MessagingLimits) -> AuditRecord?
    ) async throws -> MessagingLimits {
        try await write { database in
            let stored = try Self.limits(of: workspace, database)
            var limits = stored
            let audit = change(&limits)
            guard limits != stored else { return stored }
            try database.execute(
                sql: """
                    INSERT INTO workspace_limits (workspace_id, content) VALUES (?, ?)
                    ON CONFLICT (workspace_id) DO UPDATE SET content = excluded.content
                    """,
                arguments: [workspace.rawValue, try StoredJSON.text(limits)]
            )
            try Self.addAudit(audit, in: workspace, database)
            return limits
        }
    }
}

extension CampaignContent {
    var isTriggered: Bool {
        if case .actionBased = delivery { true } else { false }
    }
}

extension Campaign {
    static func fetch(_ id: CampaignID, _ database: Database) throws -> Campaign? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM campaigns WHERE id = ?"),
            arguments: [id.rawValue]
        ).map(Campaign.init(row:))
    }

    init(row: Row) throws {
        guard let state = CampaignState(rawValue: row["state"]) else {
            throw StoreError.unknownValue("state", in: row)
        }
        self.init(
            id: CampaignID(row["id"]),
            workspace: WorkspaceID(row["workspace_id"]),
            apiID: try StoredUUID.value(row, "api_id"),
            state: state,
            content: try StoredJSON.value(row["content"], as: CampaignContent.self),
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"]),
            activatedAt: (row["activated_at"] as Int64?).map(Date.init(milliseconds:)),
            nextDueAt: (row["next_due_at"] as Int64?).map(Date.init(milliseconds:)),
            firstSentAt: (row["first_sent_at"] as Int64?).map(Date.init(milliseconds:)),
            lastSentAt: (row["last_sent_at"] as Int64?).map(Date.init(milliseconds:))
        )
    }
}
