/// The servers that work on a database, and what they tell each other. A file has one server, which writes
/// nothing here.
enum ServerSchema {
    static let sql = """
        CREATE TABLE servers (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            host TEXT NOT NULL,
            -- The machine and the namespace that the process belongs to; empty if nobody knows.
            machine TEXT NOT NULL,
            process INTEGER NOT NULL,
            -- Where it can be reached; null until it listens.
            address TEXT,
            version TEXT NOT NULL,
            -- Both by the database's clock, in milliseconds.
            started_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            -- How much the server's clock is ahead of the database's, in milliseconds.
            clock_offset INTEGER NOT NULL,
            leads INTEGER NOT NULL,
            is_ready INTEGER NOT NULL,
            -- How long ago its columns last had everything that was stored, in milliseconds.
            audience_lag INTEGER NOT NULL,
            users INTEGER NOT NULL,
            in_flight INTEGER NOT NULL,
            -- Up to where its columns have read; null before they are there.
            change INTEGER,
            event INTEGER,
            interaction INTEGER
        );
        -- Hints for the other servers; the leading one removes old ones.
        CREATE TABLE shared_changes (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            server_id TEXT NOT NULL,
            workspace_id INTEGER,
            -- Null for data that was ingested.
            send_id INTEGER,
            -- In milliseconds.
            time INTEGER NOT NULL
        );
        """
}
