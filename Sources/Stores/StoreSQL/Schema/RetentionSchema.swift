/// For how many days a workspace keeps rows of a kind, and how far their removal has come.
enum RetentionSchema {
    /// `place` is the last key that the pass under way has looked at; NULL if there is none.
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN record_id_days INTEGER;
        ALTER TABLE workspaces ADD COLUMN audit_days INTEGER;
        CREATE TABLE retention_progress (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            kind TEXT NOT NULL,
            kept_since INTEGER NOT NULL,
            place BLOB,
            removed INTEGER NOT NULL,
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            PRIMARY KEY (workspace_id, kind)
        ) WITHOUT ROWID;
        """
}
