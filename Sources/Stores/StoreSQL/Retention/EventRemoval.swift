import Foundation
import Model
import Ports
import Relational

/// Removes custom events or sessions that are old, and keeps what they say together: of each user when
/// they began and ended and how many they were, and their number in each quarter of an hour.
///
/// Custom events that lie next to each other are removed together, whatever their names: so their pages
/// become free as a whole, instead of being written once for each name. Sessions, what came late and what lies
/// among rows that stay are removed name by name, in the order of time.
///
/// Events by which conversions are counted stay, whole: their figures are counted from rows.
struct EventRemoval {
    /// The last row that a pass has looked at.
    struct Place {
        /// Its name; 0 as long as the rows are looked at in the order in which they are stored.
        var name: Int64 = 0
        var time: Int64 = .min
        var profile: Int64 = .min
        /// In the order in which rows are stored: where to begin is looked for, as long as it is the least.
        var id: Int64 = .min
    }

    /// How many rows are deleted by their bounds: a statement of its own is not worth it for less.
    private static let leastRun = 8

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

    private func names(thatMoveTo limit: Int64) throws -> [RemovableEvents.Name] {
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
        let names = try names(from: start.name).filter {
            $0.keptSince != nil && !counted.contains($0.text)
        }
        let days = try countedDays()
        var place: Place? = start
        var (looked, removed) = (0, 0)
        // What was found as it is stored is gone before others are looked for by name.
        func look(_ look: (inout RemovableEvents) throws -> Place?) throws {
            var events = RemovableEvents(through: settled, countedBy: days, database, unreadable)
            place = try look(&events)
            looked += events.looked
            removed += events.rows.count
            try sumUp(events)
            try delete(events.rows.sorted())
        }
        if start.name == 0, kind == .customEvents {
            try look { try $0.lookAsStored(from: start, atMost: count, names) }
        }
        if let next = place, next.name != 0 || kind != .customEvents, looked < count {
            try look { try $0.look(from: next, atMost: count - looked, names) }
        }
        return (place, removed)
    }

    private func names(from id: Int64) throws -> [RemovableEvents.Name] {
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
        ).map { .init(id: $0["id"], text: $0["name"], keptSince: $0["kept_since"]) }
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

    private func sumUp(_ events: RemovableEvents) throws {
        try RemovedActivity(database).add(events.users)
        try database.cachedStatement(
            sql: """
                INSERT INTO removed_counts (name_id, quarter, count, last) VALUES (?, ?, ?, ?)
                ON CONFLICT (name_id, quarter) DO UPDATE SET
                    count = removed_counts.count + excluded.count,
                    last = max(removed_counts.last, excluded.last)
                """
        ).execute(
            forEach: events.quarters.map {
                [$0.key.name, $0.key.start, $0.value.sum.count, $0.value.sum.last]
            }
        )
        // The daily counts are of the rows that are there.
        try database.cachedStatement(
            sql: """
                UPDATE daily_counts SET count = count - ?
                WHERE name_id = ? AND day = ? AND item = '' AND currency = ''
                """
        ).execute(forEach: events.days.map { [$0.value, $0.key.name, $0.key.start] })
        guard !events.sessions.isEmpty else { return }
        try RemovedSessions(database).add(events.sessions)
        for (user, times) in events.sessionTimes {
            try UserSessions(of: ProfileID(user), database).remove(times)
        }
    }

    /// Deletes rows of which the days are right already, whatever else waits to be counted again. Those whose
    /// numbers follow one another are not looked for one by one: most that are removed as they are stored do.
    ///
    /// - Parameter rows: In order.
    private func delete(_ rows: [Int64]) throws {
        guard !rows.isEmpty else { return }
        let run = try database.cachedStatement(sql: "DELETE FROM events WHERE id BETWEEN ? AND ?")
        var others: [Int64] = []
        var rest = rows[...]
        while let first = rest.first {
            var end = rest.startIndex
            while end < rest.endIndex, rest[end] - first == end - rest.startIndex { end += 1 }
            if end - rest.startIndex < Self.leastRun {
                others += rest[..<end]
            } else {
                try run.execute(arguments: [first, rest[end - 1]])
            }
            rest = rest[end...]
        }
        if !others.isEmpty {
            try database.cachedStatement(
                sql: """
                    DELETE FROM events
                    WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    """
            ).execute(arguments: [try StoredJSON.text(others)])
        }
        try UserEventIndex(database).remove(rows)
    }
}

extension EventRemoval.Place: DatabaseValueConvertible {
    /// Four numbers with spaces between them; of an earlier version five.
    var databaseValue: DatabaseValue { "\(name) \(time) \(profile) \(id)".databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        let numbers = String.fromDatabaseValue(value)?.split(separator: " ").compactMap {
            Int64($0)
        }
        guard let numbers, 4...5 ~= numbers.count else { return nil }
        return Self(name: numbers[0], time: numbers[1], profile: numbers[2], id: numbers[3])
    }
}
