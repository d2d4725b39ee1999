import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: WrittenContentStore {
    package func writtenContent(of workspace: WorkspaceID) async throws -> WrittenContent? {
        try await read { [unreadable] in
            try WrittenContentRows(workspace: workspace, database: $0).content(unreadable)
        }
    }

    package func writtenContentState(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>
    ) async throws -> WrittenContentState? {
        try await read { [unreadable] in
            try WrittenContentRows(workspace: workspace, database: $0)
                .state(identifiers, unreadable)
        }
    }

    package func changeWrittenContent<Outcome: Sendable>(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>,
        now: Date,
        _ change:
            @escaping @Sendable (WrittenContentState) throws -> (WrittenContentChanges, Outcome)
    ) async throws -> Outcome {
        try await write { [unreadable] database in
            let rows = WrittenContentRows(workspace: workspace, database: database)
            guard let state = try rows.state(identifiers, unreadable) else {
                throw StoreError(.unreadable, .noWorkspace, ["id": "\(workspace.rawValue)"])
            }
            let (changes, outcome) = try change(state)
            try WrittenContentWriter(workspace: workspace, now: now, database: database)
                .write(changes)
            return outcome
        }
    }
}

/// Reads the content that members have written in a workspace.
private struct WrittenContentRows {
    let workspace: WorkspaceID
    let database: Database

    func content(_ unreadable: UnreadableRows) throws -> WrittenContent? {
        guard let settings = try SQLiteStore.workspace(workspace, database)?.settings else {
            return nil
        }
        let limits = try rows("SELECT content FROM workspace_limits WHERE workspace_id = ?").first
        var content = WrittenContent(
            settings: settings,
            limits: try limits.map { try StoredJSON.value($0["content"], as: MessagingLimits.self) }
                ?? MessagingLimits()
        )
        func values<Value>(
            _ table: String,
            where condition: String = "TRUE",
            _ read: (Row) throws -> Value
        ) throws -> [Value] {
            // Tables without row ids use their names instead.
            try unreadable.values(
                rows("SELECT * FROM \(table) WHERE workspace_id = ? AND \(condition) ORDER BY 1"),
                of: table,
                read
            )
        }
        content.groups = try values("subscription_groups", SubscriptionGroup.init(row:))
        content.blocks = try values("content_blocks", ContentBlock.init(row:))
        content.segments = try values("segments", StoredSegment.init(row:))
        // The messages of journeys are written with their steps.
        content.campaigns = try values(
            "campaigns",
            where: "journey_step_id IS NULL",
            Campaign.init(row:)
        )
        content.journeys = try values("journeys", Journey.init(row:))
        content.inAppMessages = try values("in_app_messages", InAppMessageDefinition.init(row:))
        content.news = try values("news", NewsItem.init(row:))
        content.centers = try values("preference_centers", PreferenceCenter.init(row:))
        content.reports = try values("saved_reports", SavedReport.init(row:))
        content.lists = try values("user_lists") {
            UploadedList(
                id: UserListID($0["id"]),
                workspace: workspace,
                name: $0["name"],
                author: $0["author"],
                users: 0,
                updatedAt: Date(milliseconds: $0["updated_at"])
            )
        }
        content.catalogs = try unreadable.values(
            rows("SELECT \(SQLiteStore.catalogColumns) FROM catalogs WHERE workspace_id = ?"),
            of: "catalogs"
        ) { try Catalog(row: $0, database, unreadable) }
        return content
    }

    func state(
        _ identifiers: Set<UUID>,
        _ unreadable: UnreadableRows
    ) throws -> WrittenContentState? {
        guard let content = try content(unreadable) else { return nil }
        return WrittenContentState(
            content: content,
            taken: try taken(identifiers),
            sending: try sending(),
            nextSegment: try next("segments"),
            nextCampaign: try next("campaigns"),
            nextNews: try next("news")
        )
    }

    private func rows(_ sql: String) throws -> [Row] {
        try Row.fetchAll(database, sql: sql, arguments: [workspace.rawValue])
    }

    /// The identifiers among these that rows of other workspaces use.
    func taken(_ identifiers: Set<UUID>) throws -> Set<UUID> {
        let columns = [
            ("segments", "api_id"), ("campaigns", "api_id"), ("in_app_messages", "api_id"),
            ("news", "public_id"), ("content_blocks", "id"), ("subscription_groups", "public_id"),
            ("preference_centers", "public_id"), ("journeys", "api_id"), ("saved_reports", "id"),
        ]
        var taken: Set<UUID> = []
        for identifier in identifiers {
            for (table, column) in columns
            where try Bool.fetchOne(
                database,
                sql: "SELECT workspace_id <> ? FROM \(table) WHERE \(column) = ?",
                arguments: [workspace.rawValue, identifier]
            ) == true {
                taken.insert(identifier)
            }
        }
        return taken
    }

    /// The campaigns with unfinished sends.
    func sending() throws -> Set<CampaignID> {
        let numbers = try Int64.fetchAll(
            database,
            sql: """
                SELECT DISTINCT campaign_id FROM sends WHERE workspace_id = ?
                    AND campaign_id IS NOT NULL AND state NOT IN ('finished', 'cancelled')
                """,
            arguments: [workspace.rawValue]
        )
        return Set(numbers.map { CampaignID($0) })
    }

    /// The id that the next row of a table gets, which no row has had before.
    func next(_ table: String) throws -> Int64 {
        let last = try Int64.fetchOne(
            database,
            sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
            arguments: [table]
        )
        return (last ?? 0) + 1
    }
}

/// Inserts rows or replaces existing ones.
private struct WrittenContentWriter {
    let workspace: WorkspaceID
    let now: Date
    let database: Database

    func write(_ changes: WrittenContentChanges) throws {
        let before = database.totalChangesCount
        try writeSettings(changes)
        for group in changes.groups { try write(group) }
        for block in changes.blocks { try write(block) }
        for catalog in changes.catalogs { try write(catalog) }
        for (catalog, items) in changes.items.ordered(by: { $0.key }) {
            try write(items, catalog)
        }
        for segment in changes.segments { try write(segment) }
        for item in changes.news { try write(item) }
        for campaign in changes.campaigns { try write(campaign) }
        for message in changes.inAppMessages { try write(message) }
        for center in changes.centers { try write(center) }
        for journey in changes.journeys { try write(journey) }
        for report in changes.reports { try write(report) }
        if let files = changes.files {
            try SQLiteStore.replaceFolderFiles(files, in: workspace, database)
        }
        guard database.totalChangesCount > before else { return }
        try SQLiteStore.addAudit(changes.audit, in: workspace, database)
    }

    private func writeSettings(_ changes: WrittenContentChanges) throws {
        if let settings = changes.settings {
            try database.execute(
                sql: """
                    UPDATE workspaces
                    SET name = ?, time_zone = ?, currency = ?, languages = ?, color = ?
                    WHERE id = ?
                    """,
                arguments: [
                    settings.name, settings.timeZone, settings.currency,
                    settings.languages.joined(separator: ","), settings.color.rawValue,
                    workspace.rawValue,
                ]
            )
        }
        if let limits = changes.limits {
            try database.execute(
                sql: "INSERT OR REPLACE INTO workspace_limits VALUES (?, ?)",
                arguments: [workspace.rawValue, try StoredJSON.text(limits)]
            )
        }
    }

    /// Inserts a row, or updates the one with its key.
    private func upsert(
        _ table: String,
        key: String,
        named name: String,
        _ columns: [(String, (any DatabaseValueConvertible)?)],
        keeping kept: Set<String> = ["created_at"]
    ) throws {
        let names = columns.map(\.0)
        let updated = names.filter { $0 != key && !kept.contains($0) }.map { column in
            // Members who are editing the row learn that it has changed.
            column == "updated_at"
                ? "updated_at = max(excluded.updated_at, \(table).updated_at + 1)"
                : "\(column) = excluded.\(column)"
        }
        try unlessTaken(name) {
            try database.execute(
                sql: """
                    INSERT INTO \(table) (\(names.joined(separator: ", ")))
                    VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
                    ON CONFLICT (\(key)) DO UPDATE SET \(updated.joined(separator: ", "))
                    """,
                arguments: StatementArguments(columns.map(\.1))
            )
        }
    }

    private func write(_ group: SubscriptionGroup) throws {
        try upsert(
            "subscription_groups",
            key: "public_id",
            named: group.name,
            [
                ("public_id", group.id), ("workspace_id", workspace.rawValue),
                ("name", group.name), ("channel", group.channel.rawValue),
                ("created_at", now.milliseconds),
            ]
        )
    }

    private func write(_ block: ContentBlock) throws {
        try upsert(
            "content_blocks",
            key: "id",
            named: block.name,
            [
                ("id", block.id), ("workspace_id", workspace.rawValue), ("name", block.name),
                ("description", block.description), ("content", block.content),
                ("state", block.state.rawValue), ("tags", try StoredJSON.text(block.tags)),
                ("created_at", now.milliseconds), ("updated_at", now.milliseconds),
            ]
        )
    }

    private func write(_ catalog: Catalog) throws {
        try upsert(
            "catalogs",
            key: "workspace_id, name",
            named: catalog.name,
            [
                ("workspace_id", workspace.rawValue), ("name", catalog.name),
                ("description", catalog.description),
                ("fields", try StoredJSON.text(catalog.fields)),
                ("updated_at", now.milliseconds),
            ],
            keeping: ["workspace_id", "name"]
        )
        let number = try SQLiteStore.number(of: catalog.name, workspace, database)
        for selection in catalog.selections {
            try database.execute(
                sql: """
                    INSERT INTO catalog_selections (catalog_id, name, content, created_at)
                    VALUES (?, ?, ?, ?)
                    ON CONFLICT (catalog_id, name) DO UPDATE SET content = excluded.content
                    """,
                arguments: [
                    number, selection.name, try StoredJSON.text(selection), now.milliseconds,
                ]
            )
        }
    }

    private func write(_ items: [CatalogItem], _ catalog: String) throws {
        guard let number = try SQLiteStore.number(of: catalog, workspace, database) else { return }
        let before = database.totalChangesCount
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO catalog_items (catalog_id, item_id, content) VALUES (?, ?, ?)
                ON CONFLICT (catalog_id, item_id) DO UPDATE SET content = excluded.content
                    WHERE content <> excluded.content
                """
        )
        for item in items {
            try statement.execute(arguments: [number, item.id, try StoredJSON.text(item.values)])
        }
        if database.totalChangesCount > before { try SQLiteStore.touch(number, now, database) }
    }

    private func write(_ segment: StoredSegment) throws {
        try upsert(
            "segments",
            key: "id",
            named: segment.content.name,
            [
                ("id", segment.id.rawValue), ("workspace_id", workspace.rawValue),
                ("api_id", segment.apiID), ("name", segment.content.name),
                ("description", segment.content.description),
                ("definition", segment.content.definition), ("author", segment.content.author),
                ("created_at", now.milliseconds), ("updated_at", now.milliseconds),
                ("archived_at", segment.archivedAt?.milliseconds),
            ]
        )
    }

    private func write(_ item: NewsItem) throws {
        let content = item.content
        try upsert(
            "news",
            key: "id",
            named: content.title,
            [
                ("id", item.id.rawValue), ("public_id", item.publicID),
                ("workspace_id", workspace.rawValue), ("title", content.title),
                ("text", content.text), ("content", try StoredJSON.text(content)),
                ("is_draft", content.isDraft),
                ("release_from", content.releaseFrom?.milliseconds),
                ("release_end", content.releaseEnd?.milliseconds), ("author", item.author),
                ("created_at", now.milliseconds), ("updated_at", now.milliseconds),
            ]
        )
    }

    private func write(_ campaign: Campaign) throws {
        func columns(_ content: CampaignContent) throws -> [(
            String, (any DatabaseValueConvertible)?
        )] {
            [
                ("id", campaign.id.rawValue), ("workspace_id", workspace.rawValue),
                ("api_id", campaign.apiID), ("state", campaign.state.rawValue),
                ("name", content.name), ("content", try StoredJSON.text(content)),
                ("is_triggered", content.isTriggered), ("created_at", now.milliseconds),
                ("updated_at", now.milliseconds),
            ]
        }
        try upsert("campaigns", key: "id", named: campaign.content.name, columns(campaign.content))
        let numbered = try CampaignVariantRows(campaign: campaign.id, database: database)
            .numbered(campaign.content)
        try database.execute(
            sql: "UPDATE campaigns SET content = ? WHERE id = ?",
            arguments: [try StoredJSON.text(numbered), campaign.id.rawValue]
        )
    }

    private func write(_ message: InAppMessageDefinition) throws {
        try upsert(
            "in_app_messages",
            key: "api_id",
            named: message.name,
            [
                ("workspace_id", workspace.rawValue), ("api_id", message.id),
                ("name", message.name), ("state", message.state.rawValue),
                ("segment_id", message.audience.segments.first?.rawValue),
                ("filter", message.audience.filter),
                ("message", try StoredJSON.text(message.message)),
                ("experiment", try StoredJSON.text(message.experiment)),
                ("goal", try message.goal.map(StoredJSON.text)),
                ("created_at", now.milliseconds), ("updated_at", now.milliseconds),
            ]
        )
        try SQLiteStore.number(message, database)
    }

    private func write(_ journey: Journey) throws {
        let draft = try StoredJSON.text(journey.draft)
        let known = try Int64.fetchOne(
            database,
            sql: "SELECT id FROM journeys WHERE api_id = ?",
            arguments: [journey.apiID]
        )
        guard let known else {
            try database.execute(
                sql: """
                    INSERT INTO journeys
                        (workspace_id, api_id, state, name, draft, created_at, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    workspace.rawValue, journey.apiID, journey.state.rawValue, journey.draft.name,
                    draft, now.milliseconds, now.milliseconds,
                ]
            )
            return
        }
        // Nobody's way changes: people go through published versions.
        try database.execute(
            sql: """
                UPDATE journeys SET name = ?1, draft = ?2, state = ?3,
                    is_changed = version IS NOT NULL AND (is_changed OR draft <> ?2),
                    updated_at = max(?4, updated_at + 1) WHERE id = ?5
                """,
            arguments: [
                journey.draft.name, draft, journey.state.rawValue, now.milliseconds, known,
            ]
        )
    }

    private func write(_ report: SavedReport) throws {
        let content = report.content
        try upsert(
            "saved_reports",
            key: "id",
            named: content.name,
            [
                ("id", report.id), ("workspace_id", workspace.rawValue), ("name", content.name),
                ("kind", content.kind), ("question", try StoredJSON.text(content.question)),
                ("is_on_overview", content.isOnOverview), ("author", report.author),
                ("created_at", now.milliseconds), ("updated_at", now.milliseconds),
            ]
        )
    }

    private func write(_ center: PreferenceCenter) throws {
        try upsert(
            "preference_centers",
            key: "public_id",
            named: center.name,
            [
                ("public_id", center.id), ("workspace_id", workspace.rawValue),
                ("name", center.name), ("title", center.title), ("page", center.page),
                ("confirmation", center.confirmation), ("viewport", center.viewport),
                ("state", center.state.rawValue), ("created_at", now.milliseconds),
                ("updated_at", now.milliseconds),
            ]
        )
    }
}
