import Model
import Relational

/// The rows of what some users did. A reader finds them before the transaction, so that the writer looks only for
/// those added since. Events have no index by user, which would slow ingestion: `UserEventIndex` knows them.
struct ActivityRows: Sendable {
    enum Table: String, CaseIterable {
        case events
        case pushInteractions = "push_interactions"
        case inAppMessageInteractions = "in_app_message_interactions"

        /// Where rows of users are looked for: events through the smallest index that includes the user.
        fileprivate var source: String {
            switch self {
            case .events:
                """
                event_names CROSS JOIN events ON name_id = event_names.id
                    WHERE event_names.workspace_id = :workspace
                """
            case .pushInteractions, .inAppMessageInteractions:
                "\(rawValue) WHERE :workspace IS NOT NULL"
            }
        }
    }

    private struct Found {
        var rows: [ProfileID: [Int64]]
        /// The last row of the table when these were read.
        var end: Int64
    }

    private let workspace: WorkspaceID
    private var known: Set<ProfileID>
    private var found: [Table: Found] = [:]
    /// How often the database had reused the highest row ids when these rows were read.
    private let returns: Int64
    /// The last note in `profile_changes` when these rows were read.
    private let note: Int64

    /// Reads the rows of `profiles`.
    init(of profiles: [ProfileID], in workspace: WorkspaceID, _ database: Database) throws {
        self.workspace = workspace
        known = Set(profiles)
        returns = try Self.returns(database)
        note = try database.last("sequence", of: "profile_changes")
        for (table, end) in zip(Table.allCases, try Self.ends(database)) {
            let rows = profiles.isEmpty ? [:] : try scan(table, profiles, after: 0, database)
            found[table] = Found(rows: rows, end: end)
        }
    }

    /// Returns these rows, or reads them again within the transaction when they are incomplete:
    /// - after the last rows were deleted, because SQLite reuses their ids, so that new rows look
    ///   old;
    /// - after another user was merged into one of these users, because the moved rows are old.
    func current(_ database: Database) throws -> ActivityRows {
        try Self.returns(database) == returns && !hasReceived(database)
            ? self : ActivityRows(of: Array(known), in: workspace, database)
    }

    /// Also true if notes that might have recorded a merge have been deleted.
    private func hasReceived(_ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT coalesce((SELECT min(sequence) FROM profile_changes) > :note + 1, FALSE)
                    OR EXISTS (
                        SELECT TRUE FROM profile_changes
                        WHERE sequence > :note AND kind = 2
                            AND other IN (SELECT CAST(value AS INTEGER) FROM json_each(:profiles)))
                """,
            arguments: ["note": note, "profiles": try StoredJSON.text(Array(known))]
        ) ?? false
    }

    private static func returns(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: "SELECT id FROM retired_ids WHERE kind = 'activity_returns'"
        ) ?? 0
    }

    private static func countReturn(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO retired_ids (kind, id) VALUES ('activity_returns', 1)
                    ON CONFLICT (kind) DO UPDATE SET id = retired_ids.id + 1
                """
        )
    }

    private static func ends(_ database: Database) throws -> [Int64] {
        try Table.allCases.map { try database.last(of: $0.rawValue) }
    }

    /// The ids of a user's rows as of now.
    func ids(of profile: ProfileID, in table: Table, _ database: Database) throws -> [Int64] {
        guard known.contains(profile), let found = found[table] else {
            return try scan(table, [profile], after: 0, database)[profile] ?? []
        }
        let new = try scan(table, [profile], after: found.end, database)
        return (found.rows[profile] ?? []) + (new[profile] ?? [])
    }

    /// Moves the rows of one user to another.
    mutating func move(
        from source: ProfileID,
        to target: ProfileID,
        _ database: Database
    ) throws {
        for table in Table.allCases {
            let update = try database.cachedStatement(
                sql: "UPDATE \(table.rawValue) SET profile_id = ? WHERE id = ?"
            )
            let moved = try ids(of: source, in: table, database)
            for id in moved { try update.execute(arguments: [target.rawValue, id]) }
            if table == .events { try UserEventIndex(database).add(moved, of: target) }
            guard known.contains(target), let end = found[table]?.end else { continue }
            found[table]?.rows[target, default: []] += moved.filter { $0 <= end }
            found[table]?.rows[source] = nil
        }
    }

    func delete(of profile: ProfileID, _ database: Database) throws {
        let ends = try Self.ends(database)
        for table in Table.allCases {
            let rows = try ids(of: profile, in: table, database)
            guard table != .events else {
                try EventDeletion(database).delete(rows)
                continue
            }
            let delete = try database.cachedStatement(
                sql: "DELETE FROM \(table.rawValue) WHERE id = ?"
            )
            for id in rows {
                if table == .pushInteractions {
                    try FactLog(database).forgotten(report: id, by: profile)
                }
                try delete.execute(arguments: [id])
            }
        }
        if try Self.ends(database) != ends { try Self.countReturn(database) }
        try CampaignRows.keepCursorsBehindRows(database)
    }

    private func scan(
        _ table: Table,
        _ profiles: [ProfileID],
        after id: Int64,
        _ database: Database
    ) throws -> [ProfileID: [Int64]] {
        if table == .events, id == 0,
            let found = try UserEventIndex(database).rows(of: profiles)
        {
            return found
        }
        // New rows are few and in the order of their ids; old ones are found through the index.
        let source =
            id > 0 ? "\(table.rawValue) WHERE \(table.rawValue).id > :after" : table.source
        var arguments: StatementArguments = ["profiles": try StoredJSON.text(profiles)]
        arguments += id > 0 ? ["after": id] : ["workspace": workspace.rawValue]
        var found: [ProfileID: [Int64]] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(table.rawValue).id AS id, profile_id FROM \(source)
                AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(:profiles))
                """,
            arguments: arguments
        )
        while let row = try rows.next() {
            found[ProfileID(row["profile_id"]), default: []].append(row["id"])
        }
        return found
    }
}
