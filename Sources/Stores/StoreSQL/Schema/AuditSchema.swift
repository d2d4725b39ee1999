/// The audit log: which member changed what.
enum AuditSchema {
    static let sql = """
        CREATE TABLE audit_log (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            at INTEGER NOT NULL,
            origin TEXT NOT NULL,
            author TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL
        );
        CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, id);
        CREATE INDEX audit_log_by_author ON audit_log (workspace_id, author, id);
        """
}
