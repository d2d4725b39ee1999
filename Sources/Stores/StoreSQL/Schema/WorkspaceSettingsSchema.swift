/// Settings that administrators enter for their workspace, and one-time links with which members
/// choose a new password.
enum WorkspaceSettingsSchema {
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN currency TEXT NOT NULL DEFAULT 'USD';
        ALTER TABLE workspaces ADD COLUMN languages TEXT NOT NULL DEFAULT '';
        ALTER TABLE workspaces ADD COLUMN color TEXT NOT NULL DEFAULT 'ember';
        ALTER TABLE members ADD COLUMN last_signed_in_at INTEGER;
        CREATE TABLE password_links (
            token_hash BLOB PRIMARY KEY,
            member_id INTEGER NOT NULL UNIQUE REFERENCES members (id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
