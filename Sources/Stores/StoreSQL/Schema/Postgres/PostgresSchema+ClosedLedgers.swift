extension PostgresSchema {
    /// What is kept of dispatches whose rows were removed (`ClosedLedgerSchema`).
    static let closedLedgers = """
        ALTER TABLE workspaces ADD COLUMN dispatch_days bigint;
        CREATE TABLE closed_ledgers (
            send_id bigint PRIMARY KEY REFERENCES sends (id) ON DELETE CASCADE,
            figures text COLLATE "C",
            has_rows bigint NOT NULL
        );
        CREATE INDEX closed_ledgers_with_rows ON closed_ledgers (send_id) WHERE has_rows = 1;
        CREATE TABLE removed_dispatch_counts (
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            quarter bigint NOT NULL,
            delivered bigint NOT NULL,
            opened bigint NOT NULL,
            PRIMARY KEY (workspace_id, quarter)
        );
        CREATE TABLE removed_dispatches (
            profile_id bigint NOT NULL,
            outcome text COLLATE "C" NOT NULL,
            count bigint NOT NULL,
            first bigint NOT NULL,
            last bigint NOT NULL,
            PRIMARY KEY (profile_id, outcome)
        );
        """
}
