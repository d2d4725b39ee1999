import Model
import Reasons
import Relational

/// The schema on PostgreSQL: the present one at once, then the later migrations one by one.
enum PostgresMigrations {
    /// - Throws: `StoreError` with code `unreadable` if a newer version of Noroshi has made it.
    static func apply(to pool: DatabasePool, at place: StorePlace) throws {
        try pool.migratePostgres { migrator in
            let known = Migrations.steps.map(\.name)
            guard let applied = try migrator.applied() else {
                try migrator.make(PostgresSchema.all, as: known)
                return
            }
            guard Set(applied).isSubset(of: known) else {
                throw StoreError(.unreadable, .newer, ["path": .text(place.name)])
            }
        }
    }
}
