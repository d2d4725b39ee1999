import Model
import Relational

/// What is kept of sessions whose rows were removed: of each user and app how many they were, and
/// when the first and the last one began.
struct RemovedSessions {
    /// The names of events that are sessions.
    static let start = "$session_start"
    static let names = [start, "$session_end"]

    struct Place: Hashable {
        var user: Int64
        /// 0 where it was not recorded.
        var app: Int64
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Of all apps; `nil` if none were removed.
    func sum(of user: ProfileID) throws -> RemovedSum? {
        try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT sum(count), min(first), max(last) FROM removed_sessions
                    WHERE profile_id = ?
                    """
            ),
            arguments: [user.rawValue]
        ).flatMap(RemovedSum.init(row:))
    }

    func add(_ sums: [Place: RemovedSum]) throws {
        let sums = sums.lazy.map { (user: $0.key.user, key: $0.key.app, sum: $0.value) }
        try RemovedSum.add(sums, to: "removed_sessions", by: "app_id", database)
    }

    /// Since when all sessions of a workspace are there; `nil` if none were removed.
    func keptSince(in workspace: WorkspaceID) throws -> Int64? {
        try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT kept_since FROM event_names
                    WHERE workspace_id = ? AND name = ? AND kept_since IS NOT NULL
                    """
            ),
            arguments: [workspace.rawValue, Self.start]
        )
    }

    /// The last removed session of each user that is not earlier than a time, the earliest first.
    /// Of a time that goes on behind all that was removed it says whether a user had a session in it.
    ///
    /// - Parameter apps: Numbers with commas; `nil` for all apps.
    func lasts(
        in workspace: WorkspaceID,
        from start: Int64,
        apps: String?
    ) throws -> [(time: Int64, user: Int64)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT max(last) AS time, profile_id FROM removed_sessions
                CROSS JOIN profiles ON profiles.id = profile_id
                WHERE workspace_id = ? AND last >= ? \(apps.map { "AND app_id IN (\($0))" } ?? "")
                GROUP BY profile_id ORDER BY time
                """,
            arguments: [workspace.rawValue, start]
        ).map { ($0[0], $0[1]) }
    }

    /// A user who goes leaves the days after the last session that was removed, of which no sum is packed any more
    /// (`RemovedActivity`).
    func willLeave(_ user: ProfileID) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO changed_quarters (name_id, quarter)
                SELECT name_id, last - (last % 900000 + 900000) % 900000
                FROM removed_activity JOIN event_names ON event_names.id = name_id
                WHERE profile_id = ? AND name = ?
                ORDER BY last DESC LIMIT 1
                """,
            arguments: [user.rawValue, Self.start]
        )
    }
}
