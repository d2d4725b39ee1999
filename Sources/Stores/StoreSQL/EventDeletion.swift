import Model
import Relational

/// Deletes events for another reason than their age, and notes what follows from it.
///
/// Triggers would be asked for each row that a removal deletes, which puts all of this right itself (`EventRemoval`),
/// leaves the last row, and would take twice as long.
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
        // SQLite gives the numbers of the last rows, and those of their facts, to the next ones.
        let last = try database.last(of: "events")
        guard let highest = rows.max(), highest > last else { return }
        try execute("UPDATE daily_count_marks SET event_id = ?1 WHERE event_id > ?1", [last])
        try execute("DELETE FROM user_event_blocks WHERE last > ?1 AND first > ?1", [last])
        try execute("UPDATE user_event_blocks SET last = ?1 WHERE last > ?1", [last])
        let facts: StatementArguments = [last, FactStream.events.rawValue]
        try execute("UPDATE fact_streams SET row = ?1 WHERE row > ?1 AND stream = ?2", facts)
        try execute("DELETE FROM fact_spans WHERE row > ?1 AND stream = ?2", facts)
        try execute(
            """
            UPDATE fact_spans SET rows = ?1 - row + 1, facts = ?1 - row + 1
            WHERE row + rows - 1 > ?1 AND stream = ?2
                AND row = (SELECT max(row) FROM fact_spans WHERE stream = ?2)
            """,
            facts
        )
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
