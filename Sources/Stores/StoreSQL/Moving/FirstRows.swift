import GRDB
import Relational

/// The rows that a new database has, which are the same in SQLite and in PostgreSQL.
struct FirstRows: Sendable {
    private var rows: [String: Set<[String: Relational.DatabaseValue]>] = [:]

    /// Makes a new database in memory.
    init() throws {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue)
        rows = try queue.read { database in
            let database = Relational.Database(database)
            var rows: [String: Set<[String: Relational.DatabaseValue]>] = [:]
            for table in try database.tableLayouts() {
                let all = try Self.rows(table, database, limit: .max)
                if !all.isEmpty { rows[table.name] = Set(all) }
            }
            return rows
        }
    }

    func hasAny(in table: String) -> Bool { rows[table] != nil }

    /// Whether a table has these rows and no other ones.
    func areAll(of table: TableLayout, _ database: Relational.Database) throws -> Bool {
        let first = rows[table.name] ?? []
        let present = try Self.rows(table, database, limit: first.count + 1)
        return present.count == first.count && Set(present) == first
    }

    private static func rows(
        _ table: TableLayout,
        _ database: Relational.Database,
        limit: Int
    ) throws -> [[String: Relational.DatabaseValue]] {
        let names = table.columns.map(\.name)
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return try Relational.Row.fetchAll(
            database,
            sql: "SELECT \(list) FROM \"\(table.name)\" LIMIT ?",
            arguments: [limit]
        ).map { Dictionary(uniqueKeysWithValues: zip(names, $0.databaseValues)) }
    }
}
