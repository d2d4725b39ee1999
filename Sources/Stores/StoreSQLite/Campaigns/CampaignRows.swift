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
        try database.execute(
            sql: """
                UPDATE OR IGNORE send_recipients SET profile_id = ?
                WHERE profile_id = ? AND send_id IN (
                    SELECT id FROM sends WHERE state IN ('scheduled', 'planning'))
                """,
            arguments: [target.rawValue, source.rawValue]
        )
    }

    /// Takes a user off the lists of recipients of sends to come; the other rows go with the user.
    static func forget(
        _ profile: ProfileID,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM send_recipients WHERE profile_id = ? AND send_id IN (
                    SELECT id FROM sends WHERE workspace_id = ? AND state IN ('scheduled', 'planning'))
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
