import Foundation
import Model
import Ports
import Relational

/// Old rows of events, with what they say together.
struct RemovableEvents {
    struct Name {
        var id: Int64
        var text: String
        var keptSince: Int64?
    }

    struct User: Hashable, Comparable {
        var name: Int64
        var profile: Int64

        static func < (one: User, other: User) -> Bool {
            one.profile != other.profile ? one.profile < other.profile : one.name < other.name
        }
    }

    /// A quarter of an hour or a day of a name.
    struct Stretch: Hashable {
        var name: Int64
        var start: Int64
    }

    struct Quarter {
        var sum: RemovedSum
        /// How many of the rows the daily counts have.
        var counted = 0
    }

    private struct Event {
        var id: Int64
        var time: Int64
        var profile: Int64
        var app: Int64?

        init(row: RawRows) {
            (id, time, profile) = (row.integer(0), row.integer(1), row.integer(2))
            app = row.optionalInteger(3)
        }
    }

    /// How many rows were looked at.
    private(set) var looked = 0
    private(set) var rows: [Int64] = []
    /// One for each row: they are ordered anyway, and nearly each is of another user and name.
    private(set) var users: [(key: User, value: RemovedSum)] = []
    private(set) var quarters: [Stretch: Quarter] = [:]
    /// Of beginnings of sessions.
    private(set) var sessions: [RemovedSessions.Place: RemovedSum] = [:]
    private(set) var sessionTimes: [Int64: [Int64]] = [:]

    private let database: Database
    private let unreadable: UnreadableRows
    private let settled: Int64
    private let mark: Int64
    private let counted: QuarterDays?

    /// - Parameters:
    ///   - settled: The last row that may go.
    ///   - counted: The days of the daily counts, and the last row that is in them; `nil` if there are none.
    init(
        through settled: Int64,
        countedBy counted: (days: QuarterDays, mark: Int64)?,
        _ database: Database,
        _ unreadable: UnreadableRows
    ) {
        self.settled = settled
        self.counted = counted?.days
        mark = counted?.mark ?? .min
        self.database = database
        self.unreadable = unreadable
    }

    // MARK: Looking

    /// Looks at the next rows name by name.
    ///
    /// - Returns: Where to go on; `nil` at the end.
    mutating func look(
        from start: EventRemoval.Place,
        atMost count: Int,
        _ names: [Name]
    ) throws -> EventRemoval.Place? {
        var place = start
        for name in names {
            guard let limit = name.keptSince else { continue }
            if name.id != place.name { place = EventRemoval.Place(name: name.id) }
            try RawRows.forEach(
                database,
                sql: """
                    SELECT id, time, profile_id, app_id FROM \(EventTimes.byQuarter)
                    WHERE name_id = :name AND \(EventTimes.within(":time", ":limit"))
                        AND (time, profile_id, id) > (:time, :profile, :id)
                    ORDER BY \(EventTimes.order), profile_id, id LIMIT :count
                    """,
                arguments: [
                    "name": name.id, "time": place.time, "profile": place.profile, "id": place.id,
                    "limit": limit, "count": count - looked,
                ]
            ) { row in
                let event = Event(row: row)
                looked += 1
                place.time = event.time
                place.profile = event.profile
                place.id = event.id
                if event.id <= settled { try add(event, name) }
                return true
            }
            if looked >= count { return place }
        }
        return nil
    }

    /// Looks at the next rows as they are stored, as long as at least a quarter of them may go.
    ///
    /// - Returns: Where to go on, which may be the first name.
    mutating func lookAsStored(
        from start: EventRemoval.Place,
        atMost count: Int,
        _ names: [Name]
    ) throws -> EventRemoval.Place {
        let byName = EventRemoval.Place(name: 1)
        var place = start
        if place.id == .min {
            guard let first = try first(of: names) else { return byName }
            place.id = first - 1
        }
        let known = Dictionary(uniqueKeysWithValues: names.map { ($0.id, $0) })
        users.reserveCapacity(count)
        try RawRows.forEach(
            database,
            sql: """
                SELECT id, time, profile_id, app_id, name_id FROM events
                WHERE id > ? AND id <= ? ORDER BY id LIMIT ?
                """,
            arguments: [place.id, settled, count]
        ) { row in
            let event = Event(row: row)
            looked += 1
            place.id = event.id
            if let name = known[row.integer(4)], let limit = name.keptSince, event.time < limit {
                try add(event, name)
            }
            return true
        }
        return looked == count && rows.count * 4 >= looked ? place : byName
    }

    /// Where the oldest rows of each name begin.
    private func first(of names: [Name]) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT min(first) FROM (
                    SELECT (SELECT events.id FROM \(EventTimes.byQuarter)
                            WHERE name_id = event_names.id AND \(EventTimes.before("kept_since"))
                            ORDER BY \(EventTimes.order) LIMIT 1) AS first
                    FROM event_names
                    WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)))
                """,
            arguments: [try StoredJSON.text(names.map(\.id))]
        )
    }

    private mutating func add(_ event: Event, _ name: Name) throws {
        // What cannot be read stays, so that it can be mended.
        let readable = try unreadable.value("events", event.id) {
            try StoredTime.check(event.time)
            return event.time
        }
        guard let time = readable else { return }
        let quarter = QuarterDays.quarter(of: time)
        rows.append(event.id)
        users.append(
            (key: User(name: name.id, profile: event.profile), value: RemovedSum(at: time))
        )
        add(time, isCounted: event.id <= mark, to: Stretch(name: name.id, start: quarter))
        guard name.text == RemovedSessions.start else { return }
        sessions.add(time, for: RemovedSessions.Place(user: event.profile, app: event.app ?? 0))
        sessionTimes[event.profile, default: []].append(time)
    }

    private mutating func add(_ time: Int64, isCounted: Bool, to quarter: Stretch) {
        if quarters[quarter]?.sum.add(time) == nil {
            quarters[quarter] = Quarter(sum: RemovedSum(at: time))
        }
        if isCounted { quarters[quarter]?.counted += 1 }
    }

    /// What the daily counts have of the rows.
    var days: [Stretch: Int] {
        guard var counted else { return [:] }
        var days: [Stretch: Int] = [:]
        for (quarter, found) in quarters where found.counted > 0 {
            let day = Stretch(name: quarter.name, start: counted.start(of: quarter.start))
            days[day, default: 0] += found.counted
        }
        return days
    }
}
