/// Where, with what and since when members are signed in.
enum ConsoleSessionSchema {
    /// A session from before began when its fourteen days did; its browser is not known.
    static let sql = """
        ALTER TABLE console_sessions ADD COLUMN started_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE console_sessions ADD COLUMN last_seen_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE console_sessions ADD COLUMN address TEXT;
        ALTER TABLE console_sessions ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
        UPDATE console_sessions SET started_at = expires_at - 1209600000,
            last_seen_at = expires_at - 1209600000;
        CREATE INDEX console_sessions_by_member ON console_sessions (member_id);
        CREATE INDEX console_sessions_by_end ON console_sessions (expires_at);
        """
}
