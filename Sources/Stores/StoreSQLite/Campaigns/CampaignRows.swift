import GRDB
import Model

/// The rows that campaigns keep of a user.
enum CampaignRows {
    /// Gives them to the user who takes over. What both have stays with that user as it was.
    static func move(from source: ProfileID, to target: ProfileID, _ database: Database) throws {
        for table in ["campaign_entries", "send_properties", "pending_triggers"] {
            try database.execute(
                sql: "UPDATE OR IGNORE \(table) SET profile_id = ? WHERE profile_id = ?",
                arguments: [target.rawValue, source.rawValue]
            )
        }
        let workspace = try Int64.fetchOne(
            database,
            sql: "SELECT workspace_id FROM profiles WHERE id = ?",
            arguments: [target.rawValue]
        )
        guard let workspace else { return }
        try database.execute(
            sql: """
                UPDATE OR IGNORE send_recipients SET profile_id = ?
                WHERE profile_id = ? AND send_id IN (\(FrozenAudienceSchema.sends))
                """,
            arguments: [target.rawValue, source.rawValue, workspace]
        )
        try forget(source, in: WorkspaceID(workspace), database)
    }

    /// Takes a user off the lists of frozen audiences; the other rows go with the user.
    static func forget(
        _ profile: ProfileID,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM send_recipients WHERE profile_id = ?
                    AND send_id IN (\(FrozenAudienceSchema.sends))
                """,
            arguments: [profile.rawValue, workspace.rawValue]
        )
    }

    /// New events get the numbers of deleted ones: the cursor must not be ahead of them.
    static func keepTriggerCursorBehindEvents(_ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE trigger_cursor SET position =
                    min(position, coalesce((SELECT max(id) FROM events), 0))
                """
        )
    }
}
