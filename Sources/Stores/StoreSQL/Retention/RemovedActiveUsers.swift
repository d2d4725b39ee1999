import Foundation
import Model
import Relational

/// The active users of days whose sessions are no longer all there, counted before the first of
/// these sessions went. Whoever is merged or deleted later, and what is told later, changes nothing
/// in them.
struct RemovedActiveUsers {
    /// What a pass keeps before it removes sessions that are older than its limit.
    struct Counts: Sendable {
        var limit: Int64
        var timeZone: String
        /// From this moment until before the other one all days are counted.
        var since: Int64
        var until: Int64
        var users: [(window: Int, day: Int64, users: Int)] = []
    }

    private let database: Database
    private let workspace: WorkspaceID

    init(_ database: Database, in workspace: WorkspaceID) {
        self.database = database
        self.workspace = workspace
    }

    /// The counts of the days that were over before the sessions that are kept.
    ///
    /// - Parameters:
    ///   - days: The starts of the days and the end of the last one.
    ///   - kept: Since when all sessions are there.
    /// - Throws: `SeriesGapError` if there is no count of one of these days in this time zone.
    func users(
        on days: [Date],
        window: Int,
        in calendar: LocalDays,
        before kept: Int64
    ) throws -> [Int64: Int] {
        let over = zip(days, days.dropFirst()).prefix { $0.1.milliseconds <= kept }
            .map(\.0.milliseconds)
        guard let first = over.first, let last = over.last else { return [:] }
        guard ActiveUserWindow.all.contains(window) else {
            throw SeriesGapError(since: calendar.start(of: Date(milliseconds: kept)))
        }
        let zone = calendar.timeZone.identifier
        let spans = try Row.fetchAll(
            database,
            sql: """
                SELECT since, until FROM removed_active_spans
                WHERE workspace_id = ? AND time_zone = ? ORDER BY since
                """,
            arguments: [workspace.rawValue, zone]
        ).map { row -> Range<Int64> in (row[0] as Int64)..<(row[1] as Int64) }
        for day in over.reversed() where !spans.contains(where: { $0.contains(day) }) {
            throw SeriesGapError(since: calendar.start(of: Date(milliseconds: day), adding: 1))
        }
        var users: [Int64: Int] = [:]
        for day in over { users[day] = 0 }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT day, users FROM removed_active_users
                WHERE workspace_id = ? AND time_zone = ? AND window = ? AND day BETWEEN ? AND ?
                """,
            arguments: [workspace.rawValue, zone, window, first, last]
        )
        while let row = try rows.next() { users[row[0]] = row[1] }
        return users
    }

    func keep(_ counts: Counts) throws {
        guard counts.since < counts.until else { return }
        for (window, day, users) in counts.users {
            try database.execute(
                sql: "INSERT OR IGNORE INTO removed_active_users VALUES (?, ?, ?, ?, ?)",
                arguments: [workspace.rawValue, counts.timeZone, window, day, users]
            )
        }
        try database.execute(
            sql: """
                UPDATE removed_active_spans SET until = ?
                WHERE workspace_id = ? AND time_zone = ? AND until = ?
                """,
            arguments: [counts.until, workspace.rawValue, counts.timeZone, counts.since]
        )
        guard try database.changesCount == 0 else { return }
        try database.execute(
            sql: "INSERT INTO removed_active_spans VALUES (?, ?, ?, ?)",
            arguments: [workspace.rawValue, counts.timeZone, counts.since, counts.until]
        )
    }
}

extension SQLStore {
    /// How many days are counted at once.
    private static let countedDays = 60

    /// Counts the active users of the days that are over before a moment and not kept yet, while
    /// others write: of the first pass these are all days that there were.
    ///
    /// - Returns: `nil` where no sessions are removed.
    func activeUsersToKeep(
        in workspace: WorkspaceID,
        before limit: Int64
    ) async throws -> RemovedActiveUsers.Counts? {
        struct Start {
            var calendar: LocalDays
            var name: Int64
            var kept: Int64?
            var first: Int64?
        }
        let found = try await read { database -> Start? in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT event_names.id, kept_since, time_zone,
                        (SELECT time FROM events WHERE name_id = event_names.id
                            ORDER BY \(EventTimes.order) LIMIT 1)
                    FROM event_names JOIN workspaces ON workspaces.id = workspace_id
                    WHERE workspace_id = ? AND event_names.name = ?
                    """,
                arguments: [workspace.rawValue, RemovedSessions.start]
            )
            guard let row else { return nil }
            return Start(
                calendar: LocalDays(TimeZone(identifier: row[2]) ?? .gmt),
                name: row[0],
                kept: row[1],
                first: row[3]
            )
        }
        guard let found else { return nil }
        let calendar = found.calendar
        func day(_ milliseconds: Int64) -> Date {
            calendar.start(of: Date(milliseconds: milliseconds))
        }
        let end = day(limit)
        var counts = RemovedActiveUsers.Counts(
            limit: limit,
            timeZone: calendar.timeZone.identifier,
            since: found.kept.map { day($0).milliseconds } ?? .min,
            until: end.milliseconds
        )
        guard var place = (found.kept ?? found.first).map(day) else { return counts }
        while place < end {
            let days = (0...Self.countedDays).map { calendar.start(of: place, adding: $0) }
                .filter { $0 <= end }
            guard let last = days.last, last > place else { break }
            for window in ActiveUserWindow.all {
                let counter = ActiveUserCounter(
                    workspace: workspace,
                    window: window,
                    calendar: calendar
                )
                let users = try await read { try counter.count(days, $0) }
                for (day, users) in zip(days, users) where users > 0 {
                    counts.users.append((window, day.milliseconds, users))
                }
            }
            place = last
            // Clocks of devices that were years behind leave years without a session.
            let month = calendar.start(of: place, adding: -ActiveUserWindow.month).milliseconds
            guard month > found.kept ?? .min else { continue }
            let next = try await read { database in
                try Int64.fetchOne(
                    database,
                    sql: """
                        SELECT time FROM events WHERE name_id = :name AND \(EventTimes.since(":month"))
                        ORDER BY \(EventTimes.order) LIMIT 1
                        """,
                    arguments: ["name": found.name, "month": month]
                )
            }
            guard let next else { break }
            place = max(place, day(next))
        }
        return counts
    }
}
