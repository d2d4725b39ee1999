/// Finding users by an alias without its list.
enum LookupSchema {
    static let sql = """
        CREATE INDEX aliases_by_name ON aliases (workspace_id, name);
        """
}
