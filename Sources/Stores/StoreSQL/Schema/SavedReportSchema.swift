/// Reports that members have saved. `due_at` is `NULL` for those that are sent to nobody.
enum SavedReportSchema {
    static let sql = """
        CREATE TABLE saved_reports (
            id BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            question TEXT NOT NULL,
            is_on_overview INTEGER NOT NULL,
            schedule TEXT,
            author TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            occurrence_at INTEGER,
            due_at INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            sent_at INTEGER,
            problem TEXT,
            UNIQUE (workspace_id, name)
        ) WITHOUT ROWID;
        CREATE INDEX saved_reports_due ON saved_reports (due_at) WHERE due_at IS NOT NULL;
        """
}
