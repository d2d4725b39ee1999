/// The addresses that get facts.
enum FactWebhookSchema {
    static let sql = """
        CREATE TABLE fact_webhooks (
            id BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            kinds TEXT NOT NULL,
            state TEXT NOT NULL,
            secret BLOB NOT NULL,
            position INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            failing_since INTEGER,
            due_at INTEGER NOT NULL,
            problem TEXT,
            delivered_at INTEGER,
            created_at INTEGER NOT NULL,
            UNIQUE (workspace_id, name)
        ) WITHOUT ROWID;
        """
}
