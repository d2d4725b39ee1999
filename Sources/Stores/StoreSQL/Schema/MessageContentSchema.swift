/// The parts of messages besides their own text: content blocks, catalogs, and the names of the
/// credentials that Connected Content uses.
enum MessageContentSchema {
    /// A catalog's items are only looked up by their id, so the values are one JSON text.
    static let sql = """
        CREATE TABLE content_blocks (
            id BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            content TEXT NOT NULL,
            state TEXT NOT NULL,
            tags TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (workspace_id, name)
        ) WITHOUT ROWID;
        CREATE INDEX content_blocks_by_update ON content_blocks (workspace_id, updated_at);
        CREATE TABLE catalogs (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            fields TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (workspace_id, name)
        );
        CREATE TABLE catalog_items (
            catalog_id INTEGER NOT NULL REFERENCES catalogs (id) ON DELETE CASCADE,
            item_id TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (catalog_id, item_id)
        ) WITHOUT ROWID;
        CREATE TABLE secrets (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            box BLOB NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, name)
        ) WITHOUT ROWID;
        """
}
