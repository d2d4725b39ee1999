import Model
import Reasons
import Relational

/// The schema on PostgreSQL: that of a release at once, then the later migrations one by one.
enum PostgresMigrations {
    /// The last of `Migrations.steps` that `PostgresSchema` has in it.
    static let baseline = "removed in-app reports"

    /// What came after, in PostgreSQL's SQL, under the names and in the order of `Migrations.steps`. A
    /// released one is never edited.
    static let later: [(name: String, sql: String)] = [
        ("ends of launches", LaunchEndSchema.sql)
    ]

    /// The names of what is in `PostgresSchema`.
    static var ofBaseline: [String] {
        let names = Migrations.steps.map(\.name)
        guard let last = names.firstIndex(of: baseline) else { return names }
        return Array(names[...last])
    }

    /// - Throws: `StoreError` with code `unreadable` if a newer version of Noroshi has made the schema.
    static func apply(to pool: DatabasePool, at place: StorePlace) throws {
        try pool.migratePostgres { migrator in
            let applied: Set<String>
            if let names = try migrator.applied() {
                applied = Set(names)
            } else {
                try migrator.make(PostgresSchema.all, as: ofBaseline)
                applied = Set(ofBaseline)
            }
            guard applied.isSubset(of: Migrations.steps.map(\.name)) else {
                throw StoreError(.unreadable, .newer, ["path": .text(place.name)])
            }
            for step in later where !applied.contains(step.name) {
                try migrator.make([step.sql], as: [step.name])
            }
        }
    }
}
