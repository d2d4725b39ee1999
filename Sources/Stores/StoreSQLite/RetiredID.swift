import GRDB

/// Numbers of deleted rows, which are never given to another row.
enum RetiredID {
    /// The number of the next row of a table, as an expression.
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
