/// Links from which exports can be downloaded until they expire.
enum ExportLinkSchema {
    static let sql = """
        CREATE TABLE export_links (
            token_hash BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            query TEXT,
            fields TEXT NOT NULL,
            format TEXT NOT NULL,
            prefix TEXT NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
