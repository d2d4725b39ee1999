/// News items and their reads.
enum NewsSchema {
    /// An id is never reused: a device may still have the push of a deleted item.
    static let sql = """
        CREATE TABLE news (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            content TEXT NOT NULL,
            is_draft INTEGER NOT NULL,
            release_from INTEGER,
            release_end INTEGER,
            author TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX news_by_workspace ON news (workspace_id, id);
        CREATE TABLE news_reads (
            news_id INTEGER NOT NULL REFERENCES news (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            read_at INTEGER NOT NULL,
            PRIMARY KEY (news_id, profile_id)
        ) WITHOUT ROWID;
        CREATE INDEX news_reads_by_profile ON news_reads (profile_id);
        """
}
