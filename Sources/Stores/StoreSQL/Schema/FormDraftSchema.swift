/// Drafts of forms that have not been submitted.
enum FormDraftSchema {
    static let sql = """
        CREATE TABLE form_drafts (
            id INTEGER PRIMARY KEY,
            public_id BLOB NOT NULL,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            kind TEXT NOT NULL,
            fields TEXT NOT NULL,
            title TEXT NOT NULL,
            author TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            send_id INTEGER,
            UNIQUE (workspace_id, public_id)
        );
        CREATE INDEX form_drafts_by_time ON form_drafts (workspace_id, kind, updated_at);
        """
}
