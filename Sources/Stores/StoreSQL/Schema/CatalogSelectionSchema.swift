/// Selections of catalogs.
enum CatalogSelectionSchema {
    /// A catalog has at most a few dozen selections, which are read together, so the conditions are
    /// one JSON text.
    static let sql = """
        CREATE TABLE catalog_selections (
            catalog_id INTEGER NOT NULL REFERENCES catalogs (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            content TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (catalog_id, name)
        ) WITHOUT ROWID;
        """
}
