/// The content blocks of sends that are under way, as they were when the first message of each was written.
enum SendBlockSchema {
    static let sql = """
        CREATE TABLE send_blocks (
            send_id INTEGER PRIMARY KEY REFERENCES sends (id) ON DELETE CASCADE,
            -- JSON
            blocks TEXT NOT NULL
        );
        """
}

extension PostgresSchema {
    static let sendBlocks = """
        CREATE TABLE send_blocks (
            send_id bigint PRIMARY KEY REFERENCES sends (id) ON DELETE CASCADE,
            blocks text COLLATE "C" NOT NULL
        );
        """
}
