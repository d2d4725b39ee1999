/// The sends that requests of the REST API have created, by `Idempotency-Key`.
enum IdempotencyKeySchema {
    static let sql = """
        CREATE TABLE request_keys (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, name)
        ) WITHOUT ROWID;
        CREATE INDEX request_keys_by_age ON request_keys (created_at);
        CREATE INDEX request_keys_by_send ON request_keys (send_id);
        """
}
