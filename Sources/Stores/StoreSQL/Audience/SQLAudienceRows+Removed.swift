import Model
import Ports
import Relational
import Segments

/// Occurrences whose rows were removed, of which sums are stored.
extension SQLAudienceRows {
    func keptSince() async throws -> KeptSince {
        let names = names
        var kept = try await snapshot.read { database in
            var kept = KeptSince()
            for (number, since) in try Self.keptSince(database) {
                if let activity = names[number] { kept.activities[activity] = since }
            }
            return kept
        }
        kept.interactions = try await interactionsKeptSince()
        return kept
    }

    /// The second since which what devices told about messages is all there.
    func interactionsKeptSince() async throws -> Int64? {
        let workspace = workspace
        return try await snapshot.read { database in
            try PushReportRemoval.keptSince(in: workspace, database)?.secondsFromMilliseconds
        }
    }

    /// The seconds since which the rows of names are all there, by the numbers of the names.
    static func keptSince(_ database: Database) throws -> [Int64: Int64] {
        var kept: [Int64: Int64] = [:]
        try RawRows.forEach(
            database,
            sql: "SELECT id, kept_since FROM event_names WHERE kept_since IS NOT NULL",
            arguments: []
        ) { row in
            kept[row.integer(0)] = row.integer(1).secondsFromMilliseconds
            return true
        }
        return kept
    }

    func scanRemoved(_ receive: (Activity, [RemovedOccurrences]) throws -> Void) async throws {
        try await scanSums("removed_activity", "name_id", names, receive)
        try await scanPacked(receive)
        try await scanRemovedInteractions(of: nil, receive)
    }

    /// What devices told about messages, of all users or of one.
    func scanRemovedInteractions(
        of profile: ProfileID?,
        _ receive: (Activity, [RemovedOccurrences]) throws -> Void
    ) async throws {
        let workspace = workspace
        let subjects = try await snapshot.read { database in
            var subjects: [Int64: Activity] = [:]
            try RawRows.forEach(
                database,
                sql: "SELECT id, kind, message FROM removed_push_subjects WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            ) { row in
                subjects[row.integer(0)] = MessageActivities.activity(
                    row.text(1),
                    of: row.text(2) ?? ""
                )
                return true
            }
            return subjects
        }
        let users = profile.map { $0.rawValue...$0.rawValue }
        try await scanSums("removed_push_reports", "subject_id", subjects, of: users, receive)
    }

    /// What devices told about messages: rows, and what is only summed up if the query wants that.
    func scanMessages(
        _ query: AudienceEventQuery,
        of profile: ProfileID?,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        let since = try await interactionsKeptSince()
        guard let since else {
            return try await scanMessages(
                of: profile,
                from: query.from,
                until: query.until,
                receive
            )
        }
        guard query.includesSums else {
            let from = max(query.from ?? .min, since)
            return try await scanMessages(of: profile, from: from, until: query.until, receive)
        }
        var sums: [Activity: RemovedSums] = [:]
        try await scanRemovedInteractions(of: profile) { activity, removed in
            for one in removed { sums[activity, default: RemovedSums()].add(one) }
        }
        try await scanMessages(of: profile, from: query.from, until: query.until) { events in
            let (old, others) = (
                events.filter { $0.time < since }, events.filter { $0.time >= since }
            )
            for (activity, events) in Dictionary(grouping: old, by: \.activity) {
                _ = sums[activity, default: RemovedSums()].take(events, before: since)
            }
            try receive(others)
        }
        for (activity, sums) in sums { try receive(sums.events(of: activity)) }
    }

    /// Reads sums by user and by the number of an activity.
    private func scanSums(
        _ table: String,
        _ key: String,
        _ activities: [Int64: Activity],
        of users: ClosedRange<Int64>? = nil,
        _ receive: (Activity, [RemovedOccurrences]) throws -> Void
    ) async throws {
        let end = users?.upperBound ?? .max
        try await pages(
            from: users.map { $0.lowerBound - 1 } ?? .min,
            read: { database, after in
                var page: [Activity: [RemovedOccurrences]] = [:]
                var last = after
                // Users in whole, so that a page ends between two of them.
                try RawRows.forEach(
                    database,
                    sql: """
                        SELECT profile_id, \(key), count, first, last FROM \(table)
                        WHERE profile_id > ?1 AND profile_id <= (
                            SELECT max(profile_id) FROM (
                                SELECT profile_id FROM \(table)
                                WHERE profile_id > ?1 AND profile_id <= ?3
                                ORDER BY profile_id LIMIT ?2))
                        ORDER BY profile_id, \(key)
                        """,
                    arguments: [after, Self.eventsPerPage, end]
                ) { row in
                    last = row.integer(0)
                    guard let activity = activities[row.integer(1)] else { return true }
                    page[activity, default: []].append(Self.removed(row))
                    return true
                }
                return Page(rows: page, next: last == after ? nil : last)
            },
            { page in
                for (activity, found) in page { try receive(activity, found) }
            }
        )
    }

    /// Sums that are not in the table yet.
    private func scanPacked(
        _ receive: (Activity, [RemovedOccurrences]) throws -> Void
    ) async throws {
        let names = names
        try await pages(
            from: Int64.min,
            read: { database, range in
                var page: [Activity: [RemovedOccurrences]] = [:]
                let found = try RemovedActivity(database).packed(after: range)
                for (key, sum) in found?.sums ?? [:] {
                    guard let activity = names[key.name] else { continue }
                    page[activity, default: []].append(Self.removed(sum, of: key.profile))
                }
                return Page(rows: page, next: found?.range)
            },
            { page in
                for (activity, found) in page { try receive(activity, found) }
            }
        )
    }

    private static func removed(_ sum: RemovedSum, of user: Int64) -> RemovedOccurrences {
        RemovedOccurrences(
            profile: user,
            count: Int(sum.count),
            first: sum.first.secondsFromMilliseconds,
            last: sum.last.secondsFromMilliseconds
        )
    }

    /// From user, name, count, first and last.
    private static func removed(_ row: RawRows) -> RemovedOccurrences {
        RemovedOccurrences(
            profile: row.integer(0),
            count: Int(row.integer(2)),
            first: row.integer(3).secondsFromMilliseconds,
            last: row.integer(4).secondsFromMilliseconds
        )
    }

    /// The sums of a name's occurrences whose rows were removed.
    func removedSums(of number: Int64, by profile: ProfileID?) async throws -> RemovedSums {
        try await snapshot.read { database in
            var sums = RemovedSums()
            try RawRows.forEach(
                database,
                sql: """
                    SELECT profile_id, name_id, count, first, last FROM removed_activity
                    WHERE name_id = ? \(profile == nil ? "" : "AND profile_id = ?")
                    """,
                arguments: [number] + (profile.map { [$0.rawValue] } ?? [])
            ) { row in
                sums.add(Self.removed(row))
                return true
            }
            func add(_ packed: RemovedActivity.Sums) {
                for (key, sum) in packed where key.name == number {
                    sums.add(Self.removed(sum, of: key.profile))
                }
            }
            let activity = RemovedActivity(database)
            if let profile {
                add(try activity.packed(of: profile))
            } else {
                var range = Int64.min
                while let next = try activity.packed(after: range) {
                    add(next.sums)
                    range = next.range
                }
            }
            return sums
        }
    }
}

/// Sums of one activity's occurrences by user, to which those are added whose rows are still there.
struct RemovedSums: Sendable {
    private var users: [Int64: RemovedOccurrences] = [:]

    mutating func add(_ one: RemovedOccurrences) {
        if users[one.profile]?.add(one) == nil { users[one.profile] = one }
    }

    /// Adds the events before a second, and returns the others.
    mutating func take(_ events: [AudienceEvent], before second: Int64) -> [AudienceEvent] {
        for event in events where event.time < second {
            add(
                RemovedOccurrences(
                    profile: event.profile,
                    count: event.quantity,
                    first: event.time,
                    last: event.time
                )
            )
        }
        return events.filter { $0.time >= second }
    }

    func events(of activity: Activity) -> [AudienceEvent] {
        users.values.flatMap { $0.events(of: activity) }
    }
}
