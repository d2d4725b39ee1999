/// Sign-in by OpenID Connect. A person whose member was removed stays known, without the member, and
/// so do the addresses of removed members: neither becomes a member again by signing in.
enum OpenIDSchema {
    static let sql = """
        CREATE TABLE openid_providers (
            workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
            name TEXT NOT NULL,
            issuer TEXT NOT NULL,
            client_id TEXT NOT NULL,
            secret BLOB NOT NULL,
            is_only_way INTEGER NOT NULL,
            is_second_factor INTEGER NOT NULL,
            domains TEXT NOT NULL,
            newcomer_role TEXT NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE TABLE openid_attempts (
            state_hash BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            browser_hash BLOB NOT NULL,
            back TEXT NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX openid_attempts_by_end ON openid_attempts (expires_at);
        CREATE TABLE openid_identities (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            member_id INTEGER REFERENCES members (id) ON DELETE SET NULL,
            bound_at INTEGER NOT NULL,
            last_used_at INTEGER,
            PRIMARY KEY (workspace_id, issuer, subject)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX openid_identities_by_member ON openid_identities (member_id, issuer)
            WHERE member_id IS NOT NULL;
        CREATE TABLE removed_members (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            email TEXT NOT NULL COLLATE NOCASE,
            removed_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, email)
        ) WITHOUT ROWID;
        ALTER TABLE console_sessions ADD COLUMN has_second_factor INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sign_in_steps ADD COLUMN is_by_provider INTEGER NOT NULL DEFAULT 0;
        """
}
