/// What each server of a database does.
enum ServerRoleSchema {
    static let sql = """
        -- Names with commas between them.
        ALTER TABLE servers ADD COLUMN roles TEXT NOT NULL
            DEFAULT 'requests,delivery,leadership';
        """
}

extension PostgresSchema {
    static let serverRoles = """
        ALTER TABLE servers ADD COLUMN roles text COLLATE "C" NOT NULL
            DEFAULT 'requests,delivery,leadership';
        """
}
