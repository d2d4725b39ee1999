import Model
import Relational

/// The data that campaigns, journeys and the removal of old rows keep about events.
enum CampaignRows {
    /// SQLite reuses the ids of deleted events and reports for new ones: no cursor must be ahead of
    /// them.
    static func keepCursorsBehindRows(_ database: Database) throws {
        let last = try database.last(of: "events")
        try database.execute(
            sql: "UPDATE trigger_cursor SET position = min(position, ?)",
            arguments: [last]
        )
        try database.execute(
            sql: "UPDATE journeys SET event_cursor = ? WHERE event_cursor > ?",
            arguments: [last, last]
        )
        try database.execute(
            sql: """
                UPDATE retention_progress SET newest = min(newest, ?), settled = min(settled, ?)
                WHERE kind IN (?, ?)
                """,
            arguments: [
                last, last - 1, RetainedKind.customEvents.rawValue, RetainedKind.sessions.rawValue,
            ]
        )
        let report = try database.last(of: "push_interactions")
        try database.execute(
            sql: """
                UPDATE retention_progress SET newest = min(newest, ?), settled = min(settled, ?)
                WHERE kind = ?
                """,
            arguments: [report, report - 1, RetainedKind.pushReports.rawValue]
        )
    }
}
