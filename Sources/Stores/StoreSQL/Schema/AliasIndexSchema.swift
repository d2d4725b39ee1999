/// An index that finds users by an alias without its label.
enum AliasIndexSchema {
    static let sql = """
        CREATE INDEX aliases_by_name ON aliases (workspace_id, name);
        """
}
