/// What PostgreSQL expects of the rows of a send, a campaign or a journey.
///
/// It takes a value that its statistics do not know for one that hardly a row has, so that the newest send, which
/// is the one that matters, looks empty until the table has grown by a tenth: plans for a row then go through a
/// million. Without statistics of a column it expects a two hundredth of the table.
enum EstimateSchema {
    /// SQLite chooses by its indexes alone.
    static let sql = "SELECT 1;"

    static let postgres = columns.map { table, column in
        // What the statistics hold already goes with the type, which stays the same.
        """
        ALTER TABLE \(table) ALTER COLUMN \(column) SET STATISTICS 0,
            ALTER COLUMN \(column) TYPE bigint;
        """
    }.joined(separator: "\n")

    /// Where the rows that users have of a new one come all at once.
    private static let columns = [
        ("dispatches", "send_id"),
        ("dispatch_leases", "send_id"),
        ("send_recipients", "send_id"),
        ("send_properties", "send_id"),
        ("withheld_messages", "send_id"),
        ("push_interactions", "send_id"),
        ("campaign_entries", "send_id"),
        ("campaign_entries", "campaign_id"),
        ("pending_triggers", "campaign_id"),
        ("journey_entries", "journey_id"),
        ("journey_entries", "step_id"),
        ("journey_passages", "step_id"),
        ("journey_requests", "journey_id"),
        ("journey_members", "journey_id"),
        ("journey_calls", "step_id"),
    ]
}
