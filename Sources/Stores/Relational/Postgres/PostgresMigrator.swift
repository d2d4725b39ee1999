/// Makes and changes the schema of a PostgreSQL database, in one transaction that only one process has.
package struct PostgresMigrator {
    let session: PostgresSession

    /// The names of the migrations that the schema has; `nil` if there is no schema.
    package func applied() throws -> [String]? {
        guard case .text = try session.value("SELECT to_regclass('grdb_migrations')::text") else {
            return nil
        }
        return try String.fetchAll(
            Database(.postgres(session)),
            sql: "SELECT identifier FROM grdb_migrations"
        )
    }

    /// Whether a server works on the database.
    package enum Claim {
        case free
        /// With what the one that has it says of itself.
        case taken(holder: String?)
    }

    /// Keeps servers away until the change of the schema is committed, if none works on the database.
    package func claim() throws -> Claim {
        let key = ClaimLock.Subject.database.key
        let answer = try session.value("SELECT pg_try_advisory_xact_lock(\(key))")
        if answer == .integer(1) { return .free }
        return .taken(
            holder: String.fromDatabaseValue(
                try session.value("SELECT holder FROM server_claim WHERE id = 1")
            )
        )
    }

    /// Runs scripts in PostgreSQL's own SQL, and notes the migrations they stand for.
    package func make(_ scripts: [String], as names: [String]) throws {
        for script in scripts { try session.run(script: script) }
        let database = Database(.postgres(session))
        for name in names {
            try database.execute(
                sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
                arguments: [name]
            )
        }
    }
}

extension DatabasePool {
    package func migratePostgres(_ body: (PostgresMigrator) throws -> Void) throws {
        guard case .postgres(let pool) = engine else { return }
        try pool.migrate(body)
    }
}
