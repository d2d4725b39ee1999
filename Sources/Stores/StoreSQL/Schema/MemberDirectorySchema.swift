/// The data about members that an identity provider's directory supplies.
enum MemberDirectorySchema {
    /// A member that has never changed gets the time of creation as that of the last change.
    static let sql = """
        ALTER TABLE members ADD COLUMN given_name TEXT;
        ALTER TABLE members ADD COLUMN family_name TEXT;
        ALTER TABLE members ADD COLUMN directory_id TEXT;
        ALTER TABLE members ADD COLUMN deactivated_at INTEGER;
        ALTER TABLE members ADD COLUMN updated_at INTEGER;
        """
}
