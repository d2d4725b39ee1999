/// What another system's directory says of members.
enum MemberDirectorySchema {
    /// A member who was never changed has the time of the making as that of the last change.
    static let sql = """
        ALTER TABLE members ADD COLUMN given_name TEXT;
        ALTER TABLE members ADD COLUMN family_name TEXT;
        ALTER TABLE members ADD COLUMN directory_id TEXT;
        ALTER TABLE members ADD COLUMN deactivated_at INTEGER;
        ALTER TABLE members ADD COLUMN updated_at INTEGER;
        """
}
