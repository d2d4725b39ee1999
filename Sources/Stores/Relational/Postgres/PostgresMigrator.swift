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
