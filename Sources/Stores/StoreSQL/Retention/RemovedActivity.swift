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
    typealias Entry = (key: RemovableEvents.User, value: RemovedSum)

    /// Of how many steps the sums are packed before they are added, at least and at the most.
    private static let steps = 100...400
    /// Between them, of how many rows of each user: they are looked through for every user of a range.
    private static let rowsOfEachUser: Int64 = 40

    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    // MARK: Removing

    /// Of how many rows the sums are packed before they are added. With more of them there is more to look through
    /// for a user, with fewer the table is gone through more often.
    ///
    /// - Parameter count: How many rows a step looks at.
    func packedRows(withStepsOf count: Int) throws -> Int64 {
        let (least, most) = (Self.steps.lowerBound * count, Self.steps.upperBound * count)
        let (rows, overflows) = try database.last(of: "profiles")
            .multipliedReportingOverflow(by: Self.rowsOfEachUser)
        return overflows ? Int64(most) : min(max(rows, Int64(least)), Int64(most))
    }

    /// - Parameter sums: Several may be of the same user and name.
    func add(_ sums: some Sequence<Entry>) throws {
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
        var sums: [Entry] = []
        var (parts, last) = (0, (users: Int64(0), part: Int64(0)))
        var (room, isFull) = (count, false)
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT users, part, sums FROM recently_removed_activity
                    ORDER BY users, part LIMIT ?
                    """
            ),
            arguments: [count]
        )
        while !isFull, let row = try rows.next() {
            last = (row[0], row[1])
            parts += 1
            PackedActivity.forEach(in: row[2], ofRange: last.users) { sums.append(($0, $1)) }
            guard sums.count >= room else { continue }
            sums = Self.ordered(sums)
            isFull = sums.count >= count
            room = sums.count + count
        }
        try write(sums)
        try database.cachedStatement(
            sql: "DELETE FROM recently_removed_activity WHERE (users, part) <= (?, ?)"
        ).execute(arguments: [last.users, last.part])
        return !isFull && parts < count
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

    private func write(_ sums: some Sequence<Entry>) throws {
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

    /// One for each user and name, in their order.
    private static func ordered(_ sums: some Sequence<Entry>) -> [Entry] {
        var ordered: [Entry] = []
        for entry in sums.sorted(by: { $0.key < $1.key }) {
            if let last = ordered.indices.last, ordered[last].key == entry.key {
                ordered[last].value = ordered[last].value.adding(entry.value)
            } else {
                ordered.append(entry)
            }
        }
        return ordered
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
