/// The addresses from which a key of the REST API may be used, and its last use.
enum APIKeyUsageSchema {
    static let sql = """
        ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT NOT NULL DEFAULT '';
        ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
        """
}
