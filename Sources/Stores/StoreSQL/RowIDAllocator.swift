import Relational

/// Ids of deleted rows, which are never reused.
enum RowIDAllocator {
    /// The id of the next row of a table, as an SQL expression.
    static func next(_ table: String) -> String {
        """
        (SELECT max(coalesce((SELECT max(id) FROM \(table)), 0), id) + 1
            FROM retired_ids WHERE kind = '\(table)')
        """
    }

    static func retire(_ id: Int64, of table: String, _ database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE retired_ids SET id = max(id, ?) WHERE kind = ?"
        ).execute(arguments: [id, table])
    }
}
