import GRDB
import Model

/// The data that campaigns and journeys keep about events.
enum CampaignRows {
    /// SQLite reuses the ids of deleted events for new ones: the cursor must not be ahead of them.
    static func keepTriggerCursorBehindEvents(_ database: Database) throws {
        let last = try database.last(of: "events")
        try database.execute(
            sql: "UPDATE trigger_cursor SET position = min(position, ?)",
            arguments: [last]
        )
        try database.execute(
            sql: "UPDATE journeys SET event_cursor = ? WHERE event_cursor > ?",
            arguments: [last, last]
        )
    }
}
