import Foundation
import Model
import Ports
import Relational

/// The numbers of a journey's steps, and the campaigns that carry their messages.
struct JourneyStepRows {
    let journey: JourneyID
    let database: Database

    /// - Throws: `StoreError` with code `unreadable` if no version ever had the step.
    func number(of step: JourneyStepID) throws -> Int64 {
        guard
            let number = try Int64.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT id FROM journey_steps WHERE journey_id = ? AND step = ?"
                ),
                arguments: [journey.rawValue, step.uuid]
            )
        else { throw StoreError(.unreadable, .journeyStep, ["step": "\(step)"]) }
        return number
    }

    func campaign(of step: JourneyStepID) throws -> CampaignID? {
        try Int64.fetchOne(
            try database.cachedStatement(
                sql: "SELECT campaign_id FROM journey_steps WHERE journey_id = ? AND step = ?"
            ),
            arguments: [journey.rawValue, step.uuid]
        ).map { CampaignID($0) }
    }

    /// The campaigns of all steps that have ever sent a message.
    func campaigns() throws -> [CampaignID] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT campaign_id FROM journey_steps
                WHERE journey_id = ? AND campaign_id IS NOT NULL ORDER BY id
                """,
            arguments: [journey.rawValue]
        ).map { CampaignID($0) }
    }

    /// Numbers the steps of a definition, and gives each message its campaign.
    ///
    /// - Returns: The definition with numbers for its variants.
    func register(
        _ definition: JourneyDefinition,
        in workspace: WorkspaceID,
        _ now: Date
    ) throws -> JourneyDefinition {
        var definition = definition
        for (index, step) in definition.steps.enumerated() {
            try database.execute(
                sql: "INSERT OR IGNORE INTO journey_steps (journey_id, step) VALUES (?, ?)",
                arguments: [journey.rawValue, step.id.uuid]
            )
            guard case .push(var push) = step.kind, let content = definition.message(of: step)
            else { continue }
            push.variants = try save(content, of: step.id, workspace, now).variants
            definition.steps[index].kind = .push(push)
        }
        return definition
    }

    /// By it variants are drawn: the same for the same journey wherever it is published, as in a rehearsal.
    private func messageID(of step: JourneyStepID) throws -> UUID {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT api_id FROM journeys WHERE id = ?",
            arguments: [journey.rawValue]
        )
        guard let row else { return UUID() }
        let id = UUID(named: "\(try StoredUUID.value(row, "api_id"))/\(step.uuid)".utf8)
        // Of a journey that was deleted and came back from a file.
        let isTaken = try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT TRUE FROM campaigns WHERE api_id = ?)",
            arguments: [id]
        )
        return isTaken == true ? UUID() : id
    }

    private func save(
        _ content: CampaignContent,
        of step: JourneyStepID,
        _ workspace: WorkspaceID,
        _ now: Date
    ) throws -> CampaignContent {
        let id: CampaignID
        if let known = try campaign(of: step) {
            id = known
        } else {
            let number = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO campaigns (workspace_id, api_id, state, name, content, is_triggered,
                        activated_at, created_at, updated_at, journey_step_id)
                    VALUES (?, ?, 'active', ?, '', 0, ?, ?, ?, ?) RETURNING id
                    """,
                arguments: [
                    workspace.rawValue, try messageID(of: step), content.name, now.milliseconds,
                    now.milliseconds, now.milliseconds, try number(of: step),
                ]
            )
            id = CampaignID(number)
            try database.execute(
                sql: "UPDATE journey_steps SET campaign_id = ? WHERE journey_id = ? AND step = ?",
                arguments: [id.rawValue, journey.rawValue, step.uuid]
            )
        }
        let numbered = try CampaignVariantRows(campaign: id, database: database).numbered(content)
        try database.execute(
            sql: "UPDATE campaigns SET name = ?, content = ?, updated_at = ? WHERE id = ?",
            arguments: [
                content.name, try StoredJSON.text(numbered), now.milliseconds, id.rawValue,
            ]
        )
        return numbered
    }
}
