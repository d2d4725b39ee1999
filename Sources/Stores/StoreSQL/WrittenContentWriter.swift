import Foundation
import Model
import Ports
import Relational

/// Inserts rows or replaces existing ones.
struct WrittenContentWriter {
    let workspace: WorkspaceID
    let now: Date
    let database: Database

    func write(_ changes: WrittenContentChanges) throws {
        let before = try database.totalChangesCount
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
            try SQLStore.replaceFolderFiles(files, in: workspace, database)
        }
        guard try database.totalChangesCount > before else { return }
        try SQLStore.addAudit(changes.audit, in: workspace, database)
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
                sql: """
                    INSERT INTO workspace_limits (workspace_id, content) VALUES (?, ?)
                    ON CONFLICT (workspace_id) DO UPDATE SET content = excluded.content
                    """,
                arguments: [workspace.rawValue, try StoredJSON.text(limits)]
            )
        }
    }

    /// Inserts a row, or updates the one with its key.
    func upsert(
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
        try unlessTaken(name, database) {
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
