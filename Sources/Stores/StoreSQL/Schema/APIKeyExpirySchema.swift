/// From when on a key of the REST API is refused.
enum APIKeyExpirySchema {
    static let sql = """
        ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
        """
}
