import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays
    ) async throws -> [Int] {
        let counter = ActiveUserCounter(workspace: workspace, window: window, calendar: calendar)
        // Once more when sessions were removed between one look and the next.
        while true {
            if let counts = try await activeUsers(on: days, counter) { return counts }
        }
    }

    /// - Returns: `nil` if a removal of sessions began meanwhile.
    private func activeUsers(
        on days: [Date],
        _ counter: ActiveUserCounter
    ) async throws -> [Int]? {
        let before = try await read { database in try counter.known(days, database) }
        let known = days.dropLast().map { before.counts[$0.milliseconds] }
        guard let first = known.firstIndex(of: nil), let last = known.lastIndex(of: nil) else {
            return known.compactMap(\.self)
        }
        let missing = Array(days[first...last + 1])
        let found = try await read { database in
            try counter.keptSince(database) == before.since
                ? try counter.count(missing, database) : nil
        }
        guard let found else { return nil }
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
struct ActiveUserCounter: Sendable {
    let workspace: WorkspaceID
    /// The number of days whose sessions count for one day.
    let window: Int
    let calendar: LocalDays

    /// The counts that need not be made, and of which state of the rows they are.
    func known(
        _ days: [Date],
        _ database: Database
    ) throws -> (version: Int64?, since: Int64?, counts: [Int64: Int]) {
        let since = try keptSince(database)
        let removed = try since.map {
            try RemovedActiveUsers(database, in: workspace)
                .users(on: days, window: window, in: calendar, before: $0)
        }
        let counts = try kept(days, database).merging(removed ?? [:]) { $1 }
        return (try version(database), since, counts)
    }

    /// Since when all sessions are there.
    func keptSince(_ database: Database) throws -> Int64? {
        try RemovedSessions(database).keptSince(in: workspace)
    }

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
                sql: """
                    INSERT INTO daily_active_users (workspace_id, window, day, users)
                    VALUES (?, ?, ?, ?)
                    ON CONFLICT (workspace_id, window, day) DO UPDATE SET users = excluded.users
                    """,
                arguments: [workspace.rawValue, window, day.milliseconds, count]
            )
        }
    }

    /// Makes one pass over the sessions in chronological order: each session adds its user once to
    /// every day of its window. Of sessions that were removed each user's last one is enough, because
    /// the windows go on behind them.
    func count(_ days: [Date], _ database: Database) throws -> [Int] {
        guard let first = days.first, let end = days.last else { return [] }
        // The days before the first one whose sessions still count for it.
        let before = (1..<max(1, window)).map { calendar.start(of: first, adding: -$0) }
        let starts = before.reversed().map(\.milliseconds) + days.dropLast().map(\.milliseconds)
        guard let start = starts.first else { return [] }
        var begins = [Int](repeating: 0, count: starts.count + window + 1)
        var coveredUntil: [Int64: Int] = [:]
        var day = 0
        func add(_ user: Int64, at time: Int64) {
            while day + 1 < starts.count, time >= starts[day + 1] { day += 1 }
            let from = max(day, coveredUntil[user] ?? 0)
            let until = day + window
            guard from < until else { return }
            begins[from] += 1
            begins[until] -= 1
            coveredUntil[user] = until
        }
        var removed: ArraySlice<(time: Int64, user: Int64)> = []
        if let kept = try keptSince(database), start < kept {
            removed = try RemovedSessions(database).lasts(in: workspace, from: start, apps: nil)[
                ...
            ]
        }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT time, profile_id FROM events WHERE name_id = (
                    SELECT id FROM event_names
                    WHERE workspace_id = :workspace AND name = '$session_start')
                AND \(EventTimes.within(":start", ":end")) ORDER BY \(EventTimes.order)
                """,
            arguments: [
                "workspace": workspace.rawValue, "start": start, "end": end.milliseconds,
            ]
        )
        while let row = try rows.next() {
            let time: Int64 = row[0]
            while let next = removed.first, next.time <= time {
                add(next.user, at: next.time)
                removed.removeFirst()
            }
            add(row[1], at: time)
        }
        for next in removed where next.time < end.milliseconds { add(next.user, at: next.time) }
        var active = 0
        let counts = begins.map { change in
            active += change
            return active
        }
        return Array(counts[before.count..<starts.count])
    }
}
