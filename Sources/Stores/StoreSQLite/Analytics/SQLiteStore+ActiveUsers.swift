import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore {
    package func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays
    ) async throws -> [Int] {
        let counter = ActiveUserCounter(workspace: workspace, window: window, calendar: calendar)
        let before = try await read { database -> (version: Int64?, known: [Int64: Int]) in
            (try counter.version(database), try counter.kept(days, database))
        }
        let known = days.dropLast().map { before.known[$0.milliseconds] }
        guard let first = known.firstIndex(of: nil), let last = known.lastIndex(of: nil) else {
            return known.compactMap(\.self)
        }
        let missing = Array(days[first...last + 1])
        let found = try await read { database in try counter.count(missing, database) }
        try await write { database in
            // Sessions that arrived meanwhile make these counts outdated: return them without
            // storing them.
            guard try counter.version(database) == before.version else { return }
            try counter.keep(found, of: missing, database)
        }
        return (known[..<first] + found + known[last...].dropFirst()).compactMap(\.self)
    }
}

/// Counts users with a session on a day or on the days before.
private struct ActiveUserCounter: Sendable {
    let workspace: WorkspaceID
    /// The number of days whose sessions count for one day.
    let window: Int
    let calendar: LocalDays

    func version(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT version FROM daily_count_marks WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
    }

    func kept(_ days: [Date], _ database: Database) throws -> [Int64: Int] {
        guard let first = days.first, let last = days.last else { return [:] }
        var counts: [Int64: Int] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT day, users FROM daily_active_users
                WHERE workspace_id = ? AND window = ? AND day >= ? AND day < ?
                """,
            arguments: [workspace.rawValue, window, first.milliseconds, last.milliseconds]
        )
        while let row = try rows.next() { counts[row[0]] = row[1] }
        return counts
    }

    func keep(_ users: [Int], of days: [Date], _ database: Database) throws {
        for (day, count) in zip(days, users) {
            try database.execute(
                sql: "INSERT OR REPLACE INTO daily_active_users VALUES (?, ?, ?, ?)",
                arguments: [workspace.rawValue, window, day.milliseconds, count]
            )
        }
    }

    /// Makes one pass over the sessions in chronological order: each session adds its user once to
    /// every day of its window.
    func count(_ days: [Date], _ database: Database) throws -> [Int] {
        guard let first = days.first, let end = days.last else { return [] }
        // The days before the first one whose sessions still count for it.
        let before = (1..<max(1, window)).map { calendar.start(of: first, adding: -$0) }
        let starts = before.reversed().map(\.milliseconds) + days.dropLast().map(\.milliseconds)
        guard let start = starts.first else { return [] }
        var begins = [Int](repeating: 0, count: starts.count + window + 1)
        var coveredUntil: [Int64: Int] = [:]
        var day = 0
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT time, profile_id FROM events WHERE name_id = (
                    SELECT id FROM event_names
                    WHERE workspace_id = ? AND name = '$session_start')
                AND time >= ? AND time < ? ORDER BY time
                """,
            arguments: [workspace.rawValue, start, end.milliseconds]
        )
        while let row = try rows.next() {
            let time: Int64 = row[0]
            while day + 1 < starts.count, time >= starts[day + 1] { day += 1 }
            let user: Int64 = row[1]
            let from = max(day, coveredUntil[user] ?? 0)
            let until = day + window
            guard from < until else { continue }
            begins[from] += 1
            begins[until] -= 1
            coveredUntil[user] = until
        }
        var active = 0
        let counts = begins.map { change in
            active += change
            return active
        }
        return Array(counts[before.count..<starts.count])
    }
}
