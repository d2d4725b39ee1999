import Model
import Relational

/// Deletes events for another reason than their age, and notes what follows from it.
///
/// A trigger would be asked for each row that a removal deletes, which puts all of this right itself (`EventRemoval`)
/// and would take half as long again.
struct EventDeletion {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func delete(_ rows: [Int64]) throws {
        guard !rows.isEmpty else { return }
        let list = try StoredJSON.text(rows)
        // The days that they were counted in are counted again; what has no such time was in none.
        let times = Timestamp.milliseconds
        try execute(
            """
            INSERT OR IGNORE INTO changed_quarters (name_id, quarter)
            SELECT DISTINCT name_id, time - (time % 900000 + 900000) % 900000 FROM events
            WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) AND time BETWEEN ? AND ?
            """,
            [list, times.lowerBound, times.upperBound]
        )
        try execute(
            "DELETE FROM events WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))",
            [list]
        )
        // SQLite gives the numbers of the last rows to the next ones.
        let last = try database.last(of: "events")
        try execute("UPDATE daily_count_marks SET event_id = ?1 WHERE event_id > ?1", [last])
        try execute("DELETE FROM user_event_blocks WHERE last > ?1 AND first > ?1", [last])
        try execute("UPDATE user_event_blocks SET last = ?1 WHERE last > ?1", [last])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
