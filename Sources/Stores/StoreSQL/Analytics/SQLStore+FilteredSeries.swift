import Foundation
import Model
import Ports
import Relational

/// Series of some apps or users, counted from the rows because no daily counts exist for them.
extension SQLStore {
    package func counts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date],
        filter: SeriesFilter
    ) async throws -> [Double] {
        guard let first = boundaries.first, let end = boundaries.last else { return [] }
        let query = CountQuery(series)
        return try await read { database in
            let events = FilteredEvents(database, workspace, query.name, filter)
            try events.checkKept(from: first)
            try events.checkApps(from: first, until: end)
            var buckets = Buckets(boundaries)
            var counts: [Double] = boundaries.dropLast().map { _ in 0 }
            let rows = try events.rows(
                query.value,
                from: first,
                until: end,
                where: query.rowCondition,
                query.values
            )
            while let row = try rows.next() {
                guard filter.contains(ProfileID(row[1])), let bucket = buckets.bucket(of: row[0])
                else { continue }
                counts[bucket] += row[2]
            }
            return counts.map { $0 / query.scale }
        }
    }

    package func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays,
        filter: SeriesFilter
    ) async throws -> [Int] {
        guard let first = days.first, let end = days.last else { return [] }
        let start = calendar.start(of: first, adding: 1 - max(1, window))
        let before = (1..<max(1, window)).reversed().map { calendar.start(of: first, adding: -$0) }
        return try await read { database in
            let events = FilteredEvents(database, workspace, RemovedSessions.start, filter)
            try events.checkKept(onDaysFrom: first, calendar)
            try events.checkApps(from: start, until: end)
            var buckets = Buckets(before + days)
            var begins = [Int](repeating: 0, count: before.count + days.count + window)
            var coveredUntil: [Int64: Int] = [:]
            func add(_ user: Int64, at time: Int64) {
                guard filter.contains(ProfileID(user)), let day = buckets.bucket(of: time)
                else { return }
                let from = max(day, coveredUntil[user] ?? 0)
                guard from < day + window else { return }
                begins[from] += 1
                begins[day + window] -= 1
                coveredUntil[user] = day + window
            }
            // The windows go on behind what was removed: of that each user's last one is enough.
            var removed = try events.removed(from: start)[...]
            let rows = try events.rows("1", from: start, until: end, isOrdered: true)
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
            return Array(counts[before.count..<before.count + days.count - 1])
        }
    }

    package func newUsers(
        in workspace: WorkspaceID,
        between boundaries: [Date],
        filter: SeriesFilter
    ) async throws -> [Int] {
        guard let first = boundaries.first, let end = boundaries.last else { return [] }
        return try await read { database in
            var buckets = Buckets(boundaries)
            var counts = boundaries.dropLast().map { _ in 0 }
            let rows: RowCursor
            if filter.apps.isEmpty {
                rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT created_at, id FROM profiles
                        WHERE workspace_id = ? AND created_at >= ? AND created_at < ?
                        """,
                    arguments: [workspace.rawValue, first.milliseconds, end.milliseconds]
                )
            } else {
                // A user is new to an app on the day of the first session in it.
                let events = FilteredEvents(database, workspace, RemovedSessions.start, filter)
                try events.checkApps(from: nil, until: end)
                rows = try events.firsts(until: end)
            }
            while let row = try rows.next() {
                guard filter.contains(ProfileID(row[1])), let bucket = buckets.bucket(of: row[0])
                else { continue }
                counts[bucket] += 1
            }
            return counts
        }
    }

    package func app(named name: String, in workspace: WorkspaceID) async throws -> AppID? {
        try await read { database in try NamedApps.find(name, in: workspace, database)?.id }
    }

    package func uninstallsSince() async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT time FROM figures_since WHERE name = ?",
                arguments: [Uninstall.eventName]
            ).map(Date.init(milliseconds:))
        }
    }
}

/// The events of one name that pass a filter. The caller checks each user against the filter.
private struct FilteredEvents {
    private let database: Database
    private let workspace: WorkspaceID
    private let isOfSessions: Bool
    private let apps: String?
    private let arguments: StatementArguments

    init(
        _ database: Database,
        _ workspace: WorkspaceID,
        _ name: String,
        _ filter: SeriesFilter
    ) {
        self.database = database
        self.workspace = workspace
        isOfSessions = name == RemovedSessions.start
        apps =
            filter.apps.isEmpty
            ? nil : filter.apps.map { "\($0.rawValue)" }.sorted().joined(separator: ",")
        arguments = ["workspace": workspace.rawValue, "name": name]
    }

    private static let named = """
        name_id = (SELECT id FROM event_names WHERE workspace_id = :workspace AND name = :name)
        """

    private var isOfApp: String { apps.map { "app_id IN (\($0))" } ?? "1" }

    private func keptSince() throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT kept_since FROM event_names
                WHERE workspace_id = :workspace AND name = :name AND kept_since IS NOT NULL
                """,
            arguments: arguments
        )
    }

    /// - Throws: `SeriesGapError` if one of the events may have been removed.
    func checkKept(from start: Date) throws {
        guard let kept = try keptSince(), start.milliseconds < kept else { return }
        throw SeriesGapError(since: Date(milliseconds: kept))
    }

    /// - Throws: `SeriesGapError` if nothing is known of the first day but sums.
    func checkKept(onDaysFrom first: Date, _ calendar: LocalDays) throws {
        guard let kept = try keptSince(),
            calendar.start(of: first, adding: 1).milliseconds <= kept
        else { return }
        throw SeriesGapError(since: calendar.start(of: Date(milliseconds: kept)))
    }

    /// The last one of each user's removed sessions.
    func removed(from start: Date) throws -> [(time: Int64, user: Int64)] {
        guard let kept = try keptSince(), start.milliseconds < kept else { return [] }
        return try RemovedSessions(database)
            .lasts(in: workspace, from: start.milliseconds, apps: apps)
    }

    /// - Throws: `SeriesGapError` if one of the events has no recorded app.
    func checkApps(from start: Date?, until end: Date) throws {
        guard apps != nil else { return }
        var last = try Int64.fetchOne(
            database,
            sql: """
                SELECT max(time) FROM events WHERE \(Self.named) AND app_id IS NULL
                AND \(EventTimes.within(":start", ":end"))
                """,
            arguments: arguments + [
                "start": start?.milliseconds ?? Int64.min, "end": end.milliseconds,
            ]
        )
        if isOfSessions, last == nil {
            last = try RemovedSessions(database)
                .lasts(in: workspace, from: start?.milliseconds ?? .min, apps: "0").last?.time
        }
        guard let last else { return }
        throw SeriesGapError(since: Date(milliseconds: last + 1))
    }

    /// The time, the user and `value` of each event.
    func rows(
        _ value: String,
        from start: Date,
        until end: Date,
        where condition: String = "1",
        _ values: StatementArguments = [:],
        isOrdered: Bool = false
    ) throws -> RowCursor {
        try Row.fetchCursor(
            database,
            sql: """
                SELECT time, profile_id, \(value) FROM events WHERE \(Self.named)
                AND \(EventTimes.within(":start", ":end")) AND \(isOfApp) AND \(condition)
                \(isOrdered ? "ORDER BY \(EventTimes.order)" : "")
                """,
            arguments: arguments + values
                + ["start": start.milliseconds, "end": end.milliseconds]
        )
    }

    /// The first session of each user, removed ones included.
    func firsts(until end: Date) throws -> RowCursor {
        try Row.fetchCursor(
            database,
            sql: """
                SELECT min(time), profile_id FROM (
                    SELECT time, profile_id FROM events WHERE \(Self.named)
                    AND \(EventTimes.before(":end")) AND \(isOfApp)
                    UNION ALL SELECT first, profile_id FROM removed_sessions
                    WHERE first < :end AND \(isOfApp)
                ) GROUP BY profile_id
                """,
            arguments: arguments + ["end": end.milliseconds]
        )
    }
}

/// The period that contains a time before the last one's end; lookups of neighboring times are fast.
private struct Buckets {
    private let starts: [Int64]
    private var last = 0

    init(_ boundaries: [Date]) {
        starts = boundaries.map(\.milliseconds)
    }

    mutating func bucket(of time: Int64) -> Int? {
        guard let first = starts.first, time >= first else { return nil }
        if starts[last] <= time, time < starts[last + 1] { return last }
        var low = 0
        var high = starts.count - 1
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= time { low = middle } else { high = middle }
        }
        last = low
        return low
    }
}
