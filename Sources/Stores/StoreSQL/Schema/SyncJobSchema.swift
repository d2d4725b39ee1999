/// Jobs that import files from the operator's folder.
enum SyncJobSchema {
    static let sql = """
        CREATE TABLE sync_jobs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            integration BLOB NOT NULL,
            state TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            file_changed_at INTEGER NOT NULL,
            stored_rows INTEGER NOT NULL,
            rejected_rows INTEGER NOT NULL,
            problem TEXT
        );
        CREATE INDEX sync_jobs_by_integration ON sync_jobs (workspace_id, integration, id);
        CREATE UNIQUE INDEX sync_jobs_running ON sync_jobs (workspace_id, integration)
            WHERE state = 'running';
        """
}
