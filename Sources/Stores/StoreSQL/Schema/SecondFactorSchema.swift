/// Second factors of members: a secret, encrypted, and recovery codes by their hashes.
enum SecondFactorSchema {
    static let sql = """
        ALTER TABLE members ADD COLUMN second_factor_at INTEGER;
        ALTER TABLE workspaces ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE second_factors (
            member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
            box BLOB NOT NULL,
            last_step INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE recovery_codes (
            member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
            code_hash BLOB NOT NULL,
            PRIMARY KEY (member_id, code_hash)
        ) WITHOUT ROWID;
        CREATE TABLE sign_in_steps (
            token_hash BLOB PRIMARY KEY,
            member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX sign_in_steps_by_member ON sign_in_steps (member_id);
        CREATE INDEX sign_in_steps_by_end ON sign_in_steps (expires_at);
        """
}
