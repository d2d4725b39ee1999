import Relational

/// A place among the events of a name in the order of the index.
struct EventCursor: Sendable, Equatable {
    var quarter: Int64 = .min
    /// The last one of its quarter that is behind.
    var id: Int64 = .min

    /// Before all events of a time and later.
    init(since time: Int64 = .min) { quarter = EventTimes.quarter(of: time) }

    private init(quarter: Int64, id: Int64) {
        self.quarter = quarter
        self.id = id
    }

    /// Reads the next events, in the order in which they happened.
    ///
    /// A page ends between two quarters if it can: the next one begins with later events then.
    ///
    /// - Parameters:
    ///   - columns: The id, the name, the time in milliseconds, the user, and others.
    ///   - condition: Which ones are wanted, with its own arguments by their names.
    ///   - count: How many are looked at, at most.
    ///   - event: What is made of a row; `nil` if nothing is.
    func page<Event: Sendable>(
        _ columns: String,
        from source: String,
        of name: Int64,
        where condition: (sql: String, arguments: StatementArguments) = ("TRUE", []),
        atMost count: Int,
        _ database: Database,
        _ event: (RawRows) throws -> Event?
    ) throws -> SQLAudienceRows.Page<[Event], EventCursor> {
        var found: [(time: Int64, event: Event)] = []
        var place = self
        var (looked, start) = (0, 0)
        func endQuarter() { found[start...].sort { $0.time < $1.time } }
        // The rest of a quarter and those after it: one condition for both would read the quarter from its beginning.
        let parts: [(sql: String, arguments: StatementArguments)] = [
            (
                "\(EventTimes.quarter) = :quarter AND events.id > :id",
                ["quarter": quarter, "id": id]
            ),
            ("\(EventTimes.quarter) > :quarter", ["quarter": quarter]),
        ]
        for part in parts where looked < count {
            try RawRows.forEach(
                database,
                sql: """
                    SELECT \(columns) FROM \(source)
                    WHERE name_id = :name AND \(part.sql) AND \(condition.sql)
                    ORDER BY \(EventTimes.quarter), events.id LIMIT :count
                    """,
                arguments: part.arguments + condition.arguments
                    + ["name": name, "count": count - looked]
            ) { row in
                let time = row.integer(2)
                let quarter = EventTimes.quarter(of: time)
                if quarter != place.quarter {
                    endQuarter()
                    start = found.count
                    place.quarter = quarter
                }
                place.id = row.integer(0)
                looked += 1
                if let event = try event(row) { found.append((time, event)) }
                return true
            }
        }
        guard looked == count else {
            endQuarter()
            return .init(rows: found.map(\.event), next: nil)
        }
        if start > 0 {
            found.removeSubrange(start...)
            place.id = .min
        } else {
            endQuarter()
        }
        return .init(rows: found.map(\.event), next: place)
    }
}
