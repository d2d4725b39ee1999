/// The requests of the REST API for users to enter journeys, by `Idempotency-Key`.
enum JourneyRequestKeySchema {
    static let sql = """
        CREATE TABLE journey_request_keys (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            users INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, name)
        ) WITHOUT ROWID;
        CREATE INDEX journey_request_keys_by_age ON journey_request_keys (created_at);
        """
}
