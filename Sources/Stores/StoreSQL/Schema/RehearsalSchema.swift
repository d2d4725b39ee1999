/// Rehearsals that were asked for, one about each subject.
enum RehearsalSchema {
    static let sql = """
        CREATE TABLE rehearsals (
            public_id BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            subject BLOB NOT NULL,
            asked_at INTEGER NOT NULL,
            -- JSON
            content TEXT NOT NULL,
            -- The server that plays it.
            player TEXT,
            reached INTEGER,
            is_stopped INTEGER NOT NULL DEFAULT 0,
            UNIQUE (workspace_id, subject)
        );
        """
}

extension PostgresSchema {
    static let rehearsals = """
        CREATE TABLE rehearsals (
            public_id bytea PRIMARY KEY,
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            subject bytea NOT NULL,
            asked_at bigint NOT NULL,
            content text COLLATE "C" NOT NULL,
            player text COLLATE "C",
            reached bigint,
            is_stopped bigint NOT NULL DEFAULT 0,
            UNIQUE (workspace_id, subject)
        );
        """
}
