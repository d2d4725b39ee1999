/// What is kept of dispatches whose rows were removed when they were old.
enum ClosedLedgerSchema {
    /// - `closed_ledgers` has the sends whose figures are final: nothing that is told later changes
    ///   them. `figures` are counted when a send is closed, and take the place of its rows, which then
    ///   go; `has_rows` is 1 until the last one is gone.
    /// - `removed_dispatch_counts` has, of each quarter of an hour, what these sends delivered and what
    ///   was opened of them, because days of all time zones are made of quarters.
    /// - `removed_dispatches` has, of each user, what the removed rows together said.
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN dispatch_days INTEGER;
        CREATE TABLE closed_ledgers (
            send_id INTEGER PRIMARY KEY REFERENCES sends (id) ON DELETE CASCADE,
            figures TEXT,
            has_rows INTEGER NOT NULL
        );
        CREATE INDEX closed_ledgers_with_rows ON closed_ledgers (send_id) WHERE has_rows = 1;
        CREATE TABLE removed_dispatch_counts (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            quarter INTEGER NOT NULL,
            delivered INTEGER NOT NULL,
            opened INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, quarter)
        ) WITHOUT ROWID;
        CREATE TABLE removed_dispatches (
            profile_id INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (profile_id, outcome)
        ) WITHOUT ROWID;
        """
}
