import Foundation
import Model
import Ports
import Relational

/// Removes custom events or sessions that are old, name by name in the order of time, and keeps what
/// they say together: of each user when they began and ended and how many they were, and their number
/// in each quarter of an hour.
///
/// Events by which conversions are counted stay, whole: their figures are counted from rows.
struct EventRemoval {
    /// The last row that a pass has looked at.
    struct Place {
        var name: Int64 = 0
        var time: Int64 = .min
        var profile: Int64 = .min
        var id: Int64 = .min
    }

    private struct Name {
        var id: Int64
        var text: String
        var keptSince: Int64?
    }

    /// The rows of one name that go together.
    private struct Found {
        var rows: [Int64] = []
        var users: [Int64: RemovedSum] = [:]
        var quarters: [Int64: RemovedSum] = [:]
        /// What the daily counts have of the rows, by the beginning of the day.
        var days: [Int64: Int] = [:]
        /// Of beginnings of sessions.
        var sessions: [RemovedSessions.Place: RemovedSum] = [:]
        var times: [Int64: [Int64]] = [:]
    }

    private let database: Database
    private let workspace: WorkspaceID
    private let kind: RetainedKind
    private let followed: Int64?
    private let unreadable: UnreadableRows

    /// - Parameters:
    ///   - kind: Custom events or sessions.
    ///   - followed: The last event that the columns have; `nil` if none follow.
    init(
        of kind: RetainedKind,
        _ database: Database,
        in workspace: WorkspaceID,
        followedThrough followed: Int64?,
        _ unreadable: UnreadableRows
    ) {
        self.database = database
        self.workspace = workspace
        self.kind = kind
        self.followed = followed
        self.unreadable = unreadable
    }

    /// Begins a pass: from here on what is older counts as summed up, wherever its row is.
    func begin(keepingSince limit: Int64) throws {
        for name in try names(thatMoveTo: limit) {
            try database.execute(
                sql: "UPDATE event_names SET kept_since = ? WHERE id = ?",
                arguments: [limit, name.id]
            )
            try ChangeLogWriter(database, in: workspace).kept(name: name.id, since: limit)
        }
    }

    /// Whether fewer beginnings of sessions are kept from now on.
    func movesSessions(to limit: Int64) throws -> Bool {
        try names(thatMoveTo: limit).contains { $0.text == RemovedSessions.start }
    }

    private func names(thatMoveTo limit: Int64) throws -> [Name] {
        let counted = try namesOfConversions()
        return try names(from: 0).filter {
            !counted.contains($0.text) && limit > $0.keptSince ?? .min
        }
    }

    /// The row up to which a pass that begins now removes. All who follow the events row by row have
    /// seen those that were there when the pass before began; who is still behind is waited for.
    func settled(afterPassThatBeganAt row: Int64?) throws -> Int64 {
        let former =
            try row
            ?? Int64.fetchOnly(
                database,
                sql: "SELECT id FROM retired_ids WHERE kind = 'settled_events'"
            )
        // The last row stays, because SQLite would give its number to the next one.
        return try Int64.fetchOnly(
            database,
            sql: """
                SELECT min(:former, coalesce(:followed, :former), (SELECT coalesce(max(id), 0) - 1 FROM events),
                    -- It stands still while no campaign waits for events.
                    CASE WHEN EXISTS (
                            SELECT TRUE FROM campaigns WHERE state = 'active' AND is_triggered)
                        THEN (SELECT position FROM trigger_cursor) ELSE :former END,
                    coalesce((SELECT min(event_cursor) FROM journeys
                        WHERE state IN ('active', 'draining')), :former))
                """,
            arguments: ["former": former, "followed": followed]
        )
    }

    /// Looks at the next rows.
    ///
    /// - Returns: Where to go on, `nil` at the end, and how many rows were removed.
    func step(
        after start: Place,
        through settled: Int64,
        lookingAt count: Int
    ) throws -> (place: Place?, removed: Int) {
        let counted = try namesOfConversions()
        let days = try countedDays()
        var place = start
        var (looked, removed) = (0, 0)
        for name in try names(from: start.name) {
            if name.id != place.name { place = Place(name: name.id) }
            guard let limit = name.keptSince, !counted.contains(name.text) else { continue }
            var found = Found()
            let last = try read(
                name,
                after: place,
                before: limit,
                through: settled,
                atMost: count - looked,
                days,
                &found,
                &looked
            )
            try sumUp(found, of: name.id)
            try sumUpSessions(found)
            try remove(found, of: name.id)
            removed += found.rows.count
            place = last
            if looked >= count { return (place, removed) }
        }
        return (nil, removed)
    }

    private func names(from id: Int64) throws -> [Name] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id, name, kept_since FROM event_names
                WHERE workspace_id = :workspace AND id >= :id AND CASE
                    WHEN :sessions THEN name IN (SELECT value FROM json_each(:names))
                    ELSE substr(name, 1, 1) <> '$' END
                ORDER BY id
                """,
            arguments: [
                "workspace": workspace.rawValue, "id": id, "sessions": kind == .sessions,
                "names": try StoredJSON.text(RemovedSessions.names),
            ]
        ).map { Name(id: $0["id"], text: $0["name"], keptSince: $0["kept_since"]) }
    }

    /// The names from whose rows campaigns and in-app messages count conversions.
    private func namesOfConversions() throws -> Set<String> {
        try ConversionHolders(database, in: workspace, unreadable).events()
    }

    /// The days of the daily counts, and the last row that is in them; `nil` if there are none.
    private func countedDays() throws -> (days: QuarterDays, mark: Int64)? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT time_zone, event_id FROM daily_count_marks WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
        guard let row, let zone = TimeZone(identifier: row["time_zone"]) else { return nil }
        return (QuarterDays(LocalDays(zone)), row["event_id"])
    }

    private func read(
        _ name: Name,
        after start: Place,
        before limit: Int64,
        through settled: Int64,
        atMost count: Int,
        _ counted: (days: QuarterDays, mark: Int64)?,
        _ found: inout Found,
        _ looked: inout Int
    ) throws -> Place {
        var place = start
        var days = counted?.days
        let isSession = name.text == RemovedSessions.start
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT id, time, profile_id\(isSession ? ", app_id" : "")
                FROM events INDEXED BY events_by_name
                WHERE name_id = ? AND (time, profile_id, id) > (?, ?, ?) AND time < ?
                ORDER BY time, profile_id, id LIMIT ?
                """,
            arguments: [name.id, start.time, start.profile, start.id, limit, count]
        )
        while let row = try rows.next() {
            looked += 1
            place = Place(name: name.id, time: row[1], profile: row[2], id: row[0])
            guard place.id <= settled else { continue }
            // What cannot be read stays, so that it can be mended.
            let readable = try unreadable.value("events", place.id) {
                try StoredTime.check(place.time)
                return place.time
            }
            guard let time = readable else { continue }
            found.rows.append(place.id)
            found.users.add(time, for: place.profile)
            found.quarters.add(time, for: QuarterDays.quarter(of: time))
            if let mark = counted?.mark, place.id <= mark, let day = days?.start(of: time) {
                found.days[day, default: 0] += 1
            }
            guard isSession else { continue }
            let session = RemovedSessions.Place(user: place.profile, app: row[3] ?? 0)
            found.sessions.add(time, for: session)
            found.times[place.profile, default: []].append(time)
        }
        return place
    }

    private func sumUp(_ found: Found, of name: Int64) throws {
        let sums = found.users.lazy.map { (user: $0.key, key: name, sum: $0.value) }
        try RemovedSum.add(sums, to: "removed_activity", by: "name_id", database)
        let quarter = try database.cachedStatement(
            sql: """
                INSERT INTO removed_counts (name_id, quarter, count, last) VALUES (?, ?, ?, ?)
                ON CONFLICT (name_id, quarter) DO UPDATE SET
                    count = removed_counts.count + excluded.count,
                    last = max(removed_counts.last, excluded.last)
                """
        )
        for (start, activity) in found.quarters {
            try quarter.execute(arguments: [name, start, activity.count, activity.last])
        }
        // The daily counts are of the rows that are there.
        let day = try database.cachedStatement(
            sql: """
                UPDATE daily_counts SET count = count - ?
                WHERE name_id = ? AND day = ? AND item = '' AND currency = ''
                """
        )
        for (start, count) in found.days { try day.execute(arguments: [count, name, start]) }
    }

    private func sumUpSessions(_ found: Found) throws {
        guard !found.sessions.isEmpty else { return }
        try RemovedSessions(database).add(found.sessions)
        for (user, times) in found.times {
            try UserSessions(of: ProfileID(user), database).remove(times)
        }
    }

    private func remove(_ found: Found, of name: Int64) throws {
        guard !found.rows.isEmpty else { return }
        let quarters = try StoredJSON.text(Array(found.quarters.keys))
        // A trigger has the days of deleted rows counted again, which is done already. Where others
        // were deleted too it remains to be done.
        let waiting = try Int64.fetchAll(
            database,
            sql: """
                SELECT quarter FROM changed_quarters
                WHERE name_id = ? AND quarter IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [name, quarters]
        )
        try database.execute(
            sql: "DELETE FROM events WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))",
            arguments: [try StoredJSON.text(found.rows)]
        )
        try database.execute(
            sql: """
                DELETE FROM changed_quarters
                WHERE name_id = ? AND quarter IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    AND quarter NOT IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [name, quarters, try StoredJSON.text(waiting)]
        )
    }
}

extension EventRemoval.Place: DatabaseValueConvertible {
    /// Four numbers with spaces between them.
    var databaseValue: DatabaseValue { "\(name) \(time) \(profile) \(id)".databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        let numbers = String.fromDatabaseValue(value)?.split(separator: " ").compactMap {
            Int64($0)
        }
        guard let numbers, numbers.count == 4 else { return nil }
        return Self(name: numbers[0], time: numbers[1], profile: numbers[2], id: numbers[3])
    }
}
