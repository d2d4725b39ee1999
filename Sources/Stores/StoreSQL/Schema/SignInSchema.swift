/// Number of sign-in attempts, by a digest of the name or the address: names and addresses of
/// strangers are not stored.
enum SignInSchema {
    static let sql = """
        CREATE TABLE sign_in_attempts (
            subject BLOB PRIMARY KEY,
            attempts INTEGER NOT NULL,
            window_ends_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (window_ends_at);
        CREATE TABLE sign_in_figures (
            outcome TEXT PRIMARY KEY,
            count INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
