/// Rows that cannot be read: kept unchanged, outside of the counted tables.
enum SetAsideSchema {
    static let sql = """
        CREATE TABLE set_aside_rows (
            id INTEGER PRIMARY KEY,
            table_name TEXT NOT NULL,
            row_id INTEGER NOT NULL,
            reason TEXT NOT NULL,
            -- The row's columns as a JSON object; those that are no text or number in hexadecimal.
            content TEXT NOT NULL,
            set_aside_at INTEGER NOT NULL
        );
        """
}
