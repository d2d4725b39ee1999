import GRDB
import Model

/// What campaigns keep of events.
enum CampaignRows {
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
