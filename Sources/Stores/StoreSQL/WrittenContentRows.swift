import Foundation
import Model
import Ports
import Relational

/// Reads the content that members have written in a workspace.
struct WrittenContentRows {
    let workspace: WorkspaceID
    let database: Database

    func content(_ unreadable: UnreadableRows) throws -> WrittenContent? {
        guard let settings = try SQLStore.workspace(workspace, database)?.settings else {
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
            rows(
                "SELECT \(SQLStore.catalogColumns) FROM catalogs WHERE workspace_id = ? ORDER BY name"
            ),
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
    private func taken(_ identifiers: Set<UUID>) throws -> Set<UUID> {
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
    private func sending() throws -> Set<CampaignID> {
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
    private func next(_ table: String) throws -> Int64 {
        let last = try Int64.fetchOne(
            database,
            sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
            arguments: [table]
        )
        return (last ?? 0) + 1
    }
}
