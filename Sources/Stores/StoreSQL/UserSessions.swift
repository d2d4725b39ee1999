import Foundation
import Model
import Relational

/// The sessions of a user in chronological order, with their windows for influenced opens. Those
/// whose rows were removed count before the others.
struct UserSessions {
    /// A session, and how long before it a push may have arrived to count, in milliseconds.
    struct Session: Hashable {
        var time: Int64
        var window: Int64

        func isInfluenced(by arrival: Int64) -> Bool {
            arrival <= time && time - window <= arrival
        }
    }

    private struct Place {
        var number: Int64
        var time: Int64
    }

    private let profile: ProfileID
    private let database: Database

    init(of profile: ProfileID, _ database: Database) {
        self.profile = profile
        self.database = database
    }

    /// - Returns: The session if it is the latest one; `nil` if it came late and changes the
    ///   windows of the sessions after it.
    func add(at time: Int64) throws -> Session? {
        let last = try last()
        if let last, time < last.time {
            try insertLate(time)
            return nil
        }
        try insert(number: (last?.number ?? 0) + 1, time)
        return Session(time: time, window: try window(after: last))
    }

    /// Merges the sessions of another user into these, which have the removed ones of both already.
    func absorb(_ other: ProfileID) throws {
        let others = UserSessions(of: other, database)
        let more = try others.times()
        guard try !more.isEmpty || others.removed() != nil else { return }
        try others.deleteAll()
        try renumber(try times() + more)
    }

    /// Removes sessions that are among those whose rows were removed now.
    func remove(_ times: [Int64]) throws {
        let delete = try database.cachedStatement(
            sql: """
                DELETE FROM user_sessions WHERE profile_id = ?1 AND number = (
                    SELECT number FROM user_sessions WHERE profile_id = ?1 AND time = ?2
                    ORDER BY number LIMIT 1)
                """
        )
        for time in times { try delete.execute(arguments: [profile.rawValue, time]) }
        // An earlier one, which came late, may be left.
        guard let first = try place("ASC"), first.number != (try removed()?.count ?? 0) + 1 else {
            return
        }
        try renumber(try self.times())
    }

    /// All sessions whose rows are there, the earliest first.
    func all() throws -> [Session] { Self.sessions(try times(), after: try removed()) }

    /// Sessions at or after `time`, the earliest first.
    func since(_ time: Int64) throws -> ArraySlice<Session> {
        guard let last = try last(), last.time >= time else { return [] }
        let all = try all()
        let start = all.firstIndex { $0.time >= time } ?? all.endIndex
        return all[start...]
    }

    /// Those of many users who have a session at or after `time`, among those whose rows are there.
    static func users(
        _ users: [ProfileID],
        withSessionsSince time: Int64,
        _ database: Database
    ) throws -> Set<ProfileID> {
        var active: Set<ProfileID> = []
        try database.cachedStatement(sql: sql("DESC"))
            .forEachFirstRow(users.map { [$0.rawValue] }) { position, row in
                guard let row, (row[1] as Int64) >= time else { return }
                active.insert(users[position])
            }
        return active
    }

    private static func sessions(
        _ times: [Int64],
        after removed: RemovedSum?
    ) -> [Session] {
        var earlier = removed
        return times.map { time in
            let window = earlier.map {
                InfluencedOpenRule.window(afterSessions: $0.count, from: $0.first, to: $0.last)
            }
            if earlier?.add(time) == nil { earlier = RemovedSum(at: time) }
            return Session(time: time, window: window ?? InfluencedOpenRule.minWindow)
        }
    }

    /// The sessions whose rows were removed, together.
    private func removed() throws -> RemovedSum? {
        try RemovedSessions(database).sum(of: profile)
    }

    private func window(after last: Place?) throws -> Int64 {
        guard let last, last.number > 1, let first = try place("ASC") else {
            return InfluencedOpenRule.minWindow
        }
        return InfluencedOpenRule.window(
            afterSessions: last.number,
            from: min(first.time, try removed()?.first ?? .max),
            to: last.time
        )
    }

    // MARK: Rows

    private func last() throws -> Place? {
        let last = try place("DESC")
        guard let removed = try removed() else { return last }
        return Place(
            number: last?.number ?? removed.count,
            time: max(last?.time ?? .min, removed.last)
        )
    }

    private func place(_ order: String) throws -> Place? {
        try Row.fetchOne(
            try database.cachedStatement(sql: Self.sql(order)),
            arguments: [profile.rawValue]
        ).map { Place(number: $0[0], time: $0[1]) }
    }

    private static func sql(_ order: String) -> String {
        "SELECT number, time FROM user_sessions WHERE profile_id = ? ORDER BY number \(order)"
    }

    private func times() throws -> [Int64] {
        try Int64.fetchAll(
            try database.cachedStatement(
                sql: "SELECT time FROM user_sessions WHERE profile_id = ? ORDER BY number"
            ),
            arguments: [profile.rawValue]
        )
    }

    private func insert(number: Int64, _ time: Int64) throws {
        try database.cachedStatement(
            sql: "INSERT INTO user_sessions (profile_id, number, time) VALUES (?, ?, ?)"
        ).execute(arguments: [profile.rawValue, number, time])
    }

    /// Inserts a late session and renumbers those after it.
    private func insertLate(_ time: Int64) throws {
        let times = try times()
        let index = times.firstIndex { $0 > time } ?? times.endIndex
        let place = Int64(index) + 1 + (try removed()?.count ?? 0)
        try database.cachedStatement(
            sql: "DELETE FROM user_sessions WHERE profile_id = ? AND number >= ?"
        ).execute(arguments: [profile.rawValue, place])
        let moved: [Int64] = [time] + times[index...]
        for (offset, time) in moved.enumerated() {
            try insert(number: place + Int64(offset), time)
        }
    }

    private func renumber(_ times: [Int64]) throws {
        try deleteAll()
        let before = try removed()?.count ?? 0
        for (index, time) in times.sorted().enumerated() {
            try insert(number: before + Int64(index + 1), time)
        }
    }

    private func deleteAll() throws {
        try database.cachedStatement(sql: "DELETE FROM user_sessions WHERE profile_id = ?")
            .execute(arguments: [profile.rawValue])
    }
}
