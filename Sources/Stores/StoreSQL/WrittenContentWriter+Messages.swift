import Foundation
import Model
import Ports
import Relational

/// Campaigns, in-app messages and journeys.
extension WrittenContentWriter {
    func write(_ campaign: Campaign) throws {
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

    func write(_ message: InAppMessageDefinition) throws {
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
        try SQLStore.number(message, database)
    }

    func write(_ journey: Journey) throws {
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
                    is_changed = iif(version IS NOT NULL AND (is_changed OR draft <> ?2), 1, 0),
                    updated_at = max(?4, updated_at + 1) WHERE id = ?5
                """,
            arguments: [
                journey.draft.name, draft, journey.state.rawValue, now.milliseconds, known,
            ]
        )
    }
}
