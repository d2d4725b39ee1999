/// Names that a workspace blocks.
enum BlockedNameSchema {
    static let sql = """
        CREATE TABLE blocked_names (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            blocked_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, kind, name)
        ) WITHOUT ROWID;
        """
}
