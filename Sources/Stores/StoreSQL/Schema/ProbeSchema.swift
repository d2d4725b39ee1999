/// The table that is written to test whether the database accepts writes.
enum ProbeSchema {
    static let sql = """
        CREATE TABLE store_probe (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            filler BLOB NOT NULL
        );
        """
}
