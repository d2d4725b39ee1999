/// Passkeys of members: public keys only.
enum PasskeySchema {
    static let sql = """
        CREATE TABLE passkeys (
            id INTEGER PRIMARY KEY,
            member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
            credential_id BLOB NOT NULL UNIQUE,
            public_key BLOB NOT NULL,
            name TEXT NOT NULL,
            sign_count INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        );
        CREATE INDEX passkeys_by_member ON passkeys (member_id);
        """
}
