/// Pages on which users choose which messages they receive.
enum PreferenceCenterSchema {
    static let sql = """
        CREATE TABLE preference_centers (
            public_id BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            title TEXT NOT NULL,
            page TEXT NOT NULL,
            confirmation TEXT NOT NULL,
            viewport TEXT,
            state TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (workspace_id, name)
        );
        """
}
