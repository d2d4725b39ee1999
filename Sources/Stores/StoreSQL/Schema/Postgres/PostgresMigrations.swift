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
        ("removed reports of pushes", PostgresSchema.removedPushReports),
        ("ends of launches", LaunchEndSchema.sql),
        ("closed ledgers", PostgresSchema.closedLedgers),
        ("servers", PostgresSchema.servers),
        ("key of secrets", PostgresSchema.secretKey),
        ("content blocks of sends", PostgresSchema.sendBlocks),
        ("roles of servers", PostgresSchema.serverRoles),
        ("rehearsals", PostgresSchema.rehearsals),
        ("contents of launches", PostgresSchema.launchContents),
        ("recently removed events", PostgresSchema.recentlyRemovedEvents),
        ("events of users", PostgresSchema.userEvents),
        ("packed sums of removed events", PackedActivitySchema.postgres),
        ("deleted events at the end", EventEndSchema.postgres),
        ("in-app message reports by user", InAppMessageSchema.reportsByUserSQL),
        ("recipients of removed messages", RemovedRecipientSchema.postgres),
        ("events by quarter", EventQuarterSchema.sql),
        ("estimates of new rows", EstimateSchema.postgres),
    ]

    /// The names of what is in `PostgresSchema`.
    static var ofBaseline: [String] {
        let names = Migrations.steps.map(\.name)
        guard let last = names.firstIndex(of: baseline) else { return names }
        return Array(names[...last])
    }

    /// Makes the schema where there is none, and brings an earlier one up to date.
    ///
    /// - Parameters:
    ///   - isClaimed: Whether the caller has the database's claim. Nobody else changes an earlier schema while a
    ///     server works with it.
    ///   - steps: What came after the schema of a release.
    /// - Throws: `StoreError` with code `unreadable` if a newer version of Noroshi has made the schema, `taken` if
    ///   an earlier one has and somebody else has claimed the database.
    static func apply(
        to pool: DatabasePool,
        at place: StorePlace,
        isClaimed: Bool,
        steps: [(name: String, sql: String)] = later
    ) throws {
        try pool.migratePostgres { migrator in
            let applied = try applied(migrator, place, steps)
            let missing = steps.filter { !applied.contains($0.name) }
            guard !missing.isEmpty else { return }
            if !isClaimed, case .taken(let note) = try migrator.claim() {
                let holder = note.flatMap(DatabaseClaim.Holder.init(note:))
                throw StoreError(
                    .taken,
                    .olderInUse,
                    [
                        "path": .text(place.name),
                        "holder": .text(holder?.sentence ?? "another server has it"),
                    ]
                )
            }
            for step in missing { try migrator.make([step.sql], as: [step.name]) }
        }
    }

    /// Makes the schema where there is none, which the claim is a part of, and leaves an earlier one as it is.
    ///
    /// - Throws: `StoreError` with code `unreadable` if a newer version of Noroshi has made the schema.
    static func makeIfMissing(in pool: DatabasePool, at place: StorePlace) throws {
        try pool.migratePostgres { _ = try applied($0, place, later) }
    }

    /// The names of the migrations that the schema has, which is made if it is missing.
    private static func applied(
        _ migrator: PostgresMigrator,
        _ place: StorePlace,
        _ steps: [(name: String, sql: String)]
    ) throws -> Set<String> {
        guard let names = try migrator.applied() else {
            try migrator.make(PostgresSchema.all, as: ofBaseline)
            return Set(ofBaseline)
        }
        guard Set(names).isSubset(of: ofBaseline + steps.map(\.name)) else {
            throw StoreError(.unreadable, .newer, ["path": .text(place.name)])
        }
        return Set(names)
    }
}
