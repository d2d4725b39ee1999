import GRDB
import Model

/// The data that campaigns keep about events.
enum CampaignRows {
    /// SQLite reuses the ids of deleted events for new ones: the cursor must not be ahead of them.
    static func keepTriggerCursorBehindEvents(_ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE trigger_cursor SET position =
                    min(position, coalesce((SELECT max(id) FROM events), 0))
                """
        )
    }
}
