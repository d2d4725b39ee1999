import Foundation
import Model
import Relational

/// What is kept of events whose rows were removed: of each user and name how many they were, and when the first
/// and the last one happened.
///
/// There are about as many sums as users have names, and those of rows that lie together are scattered among all
/// of them: nearly each would cost a page. So they are packed at first, a part for each range of users, and added
/// from there to the table in the order of users, when each of its pages gets many.
struct RemovedActivity {
    typealias Sums = [RemovableEvents.User: RemovedSum]

    /// Of how many steps the sums are packed before they are added. With more of them there is more to look through
    /// for a user, with fewer the table is gone through more often.
    static let steps = 100

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    // MARK: Removing

    func add(_ sums: Sums) throws {
        var rest = Self.ordered(sums)[...]
        var parts: [StatementArguments] = []
        while let first = rest.first {
            let range = PackedActivity.range(of: first.key.profile)
            let part = rest.prefix { PackedActivity.range(of: $0.key.profile) == range }
            parts.append([range, range, PackedActivity(part).data])
            rest = rest.dropFirst(part.count)
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO recently_removed_activity (users, part, sums) VALUES (?, (
                    SELECT coalesce(max(part), 0) + 1 FROM recently_removed_activity
                    WHERE users = ?), ?)
                """
        ).execute(forEach: parts)
    }

    /// Adds the next sums that are packed to the table.
    ///
    /// - Returns: Whether all are there.
    func fold(atMost count: Int) throws -> Bool {
        var sums: Sums = [:]
        var (parts, last) = (0, (users: Int64(0), part: Int64(0)))
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT users, part, sums FROM recently_removed_activity
                    ORDER BY users, part LIMIT ?
                    """
            ),
            arguments: [count]
        )
        while sums.count < count, let row = try rows.next() {
            last = (row[0], row[1])
            parts += 1
            Self.unpack(row[2], ofRange: last.users, into: &sums)
        }
        try write(sums)
        try database.cachedStatement(
            sql: "DELETE FROM recently_removed_activity WHERE (users, part) <= (?, ?)"
        ).execute(arguments: [last.users, last.part])
        return sums.count < count && parts < count
    }

    /// Adds what is packed of a user to the table: before the user is merged or deleted.
    func fold(of user: ProfileID) throws {
        let range = PackedActivity.range(of: user.rawValue)
        var own: Sums = [:]
        var parts: [StatementArguments] = []
        for (part, sums) in try self.parts(ofRange: range) {
            let others = sums.filter { $0.key.profile != user.rawValue }
            guard others.count < sums.count else { continue }
            for (key, sum) in sums where key.profile == user.rawValue { own.add(sum, for: key) }
            parts.append([PackedActivity(Self.ordered(others)).data, range, part])
        }
        guard !own.isEmpty else { return }
        try write(own)
        try database.cachedStatement(
            sql: "UPDATE recently_removed_activity SET sums = ? WHERE users = ? AND part = ?"
        ).execute(forEach: parts)
    }

    private func write(_ sums: Sums) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO removed_activity (profile_id, name_id, count, first, last)
                VALUES (?, ?, ?, ?, ?)
                \(RemovedSum.adding(to: "removed_activity", by: "name_id"))
                """
        ).execute(
            forEachOf: Self.ordered(sums).map { key, sum in
                [key.profile, key.name, sum.count, sum.first, sum.last]
            }
        )
    }

    private static func ordered(
        _ sums: Sums
    ) -> [(key: RemovableEvents.User, value: RemovedSum)] {
        sums.sorted { ($0.key.profile, $0.key.name) < ($1.key.profile, $1.key.name) }
    }

    // MARK: Looking

    /// The sums of a user that are still packed.
    func packed(of user: ProfileID) throws -> Sums {
        var found: Sums = [:]
        for (_, sums) in try parts(ofRange: PackedActivity.range(of: user.rawValue)) {
            for (key, sum) in sums where key.profile == user.rawValue { found.add(sum, for: key) }
        }
        return found
    }

    /// Those of the next range of users that has some.
    ///
    /// - Returns: The number of the range, after which to go on; `nil` at the end.
    func packed(after range: Int64) throws -> (range: Int64, sums: Sums)? {
        let next = try Int64.fetchOne(
            try database.cachedStatement(
                sql: "SELECT min(users) FROM recently_removed_activity WHERE users > ?"
            ),
            arguments: [range]
        )
        guard let next else { return nil }
        var found: Sums = [:]
        for (_, sums) in try parts(ofRange: next) { found.merge(sums) { $0.adding($1) } }
        return (next, found)
    }

    private func parts(ofRange range: Int64) throws -> [(part: Int64, sums: Sums)] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: "SELECT part, sums FROM recently_removed_activity WHERE users = ?"
            ),
            arguments: [range]
        ).map { row in
            var sums: Sums = [:]
            Self.unpack(row[1], ofRange: range, into: &sums)
            return (row[0], sums)
        }
    }

    private static func unpack(_ data: Data, ofRange range: Int64, into sums: inout Sums) {
        PackedActivity.forEach(in: data, ofRange: range) { key, sum in sums.add(sum, for: key) }
    }
}
