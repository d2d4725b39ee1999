/// What is written to find out whether the database can be.
enum ProbeSchema {
    static let sql = """
        CREATE TABLE store_probe (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            filler BLOB NOT NULL
        );
        """
}
