import Foundation
import Model
import Relational

/// What is kept of events whose rows were removed: of each user and name how many they were, and when the first
/// and the last one happened.
///
/// There are about as many sums as users have names, and those of rows that lie together are scattered among all
/// of them: nearly each would cost a page. So they are packed at first, a part for each range of users. When there
/// are many of a range, they are added to the table together, where most of them are of the same users and names.
struct RemovedActivity {
    typealias Sums = [RemovableEvents.User: RemovedSum]
    typealias Entry = (key: RemovableEvents.User, value: RemovedSum)

    /// How much is packed of a range, in sums. With more there is more to look through for a user, with less the
    /// table is written to more often.
    private static let most: Int64 = 100_000
    /// To find a part takes as long as to look through so many sums.
    private static let weightOfPart: Int64 = 50

    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    // MARK: Removing

    /// - Parameter sums: Several may be of the same user and name.
    func add(_ sums: some Sequence<Entry>) throws {
        var rest = Self.ordered(sums)[...]
        var parts: [(range: Int64, sums: ArraySlice<Entry>)] = []
        while let first = rest.first {
            let range = PackedActivity.range(of: first.key.profile)
            parts.append((range, rest.prefix { PackedActivity.range(of: $0.key.profile) == range }))
            rest = rest.dropFirst(parts.last?.sums.count ?? 0)
        }
        let weights = try weights(ofRanges: parts.map(\.range))
        var added: Int64 = 0
        var full: [(range: Int64, weight: Int64)] = []
        let rows = parts.map { range, sums in
            let weight = Int64(sums.count) + Self.weightOfPart
            let whole = weights[range, default: 0] + weight
            added += weight
            if whole >= Self.most { full.append((range, whole)) }
            return [range, whole, PackedActivity(sums).data] as StatementArguments
        }
        try database.cachedStatement(
            sql: "INSERT INTO recently_removed_activity (users, part, sums) VALUES (?, ?, ?)"
        ).execute(forEach: rows)
        // All ranges become full at about the same time; some more than were added are folded at a time.
        let turn = full.sorted { $0.weight > $1.weight }.prefix(1 + Int(added / Self.most))
        for (range, _) in turn.sorted(by: { $0.range < $1.range }) { try fold(range: range) }
    }

    /// How much is packed of ranges: the number of a part is what there was of its range with it.
    private func weights(ofRanges ranges: [Int64]) throws -> [Int64: Int64] {
        var weights: [Int64: Int64] = [:]
        try RawRows.forEach(
            database,
            sql: """
                SELECT CAST(value AS INTEGER), coalesce((
                    SELECT max(part) FROM recently_removed_activity
                    WHERE users = CAST(value AS INTEGER)), 0)
                FROM json_each(?)
                """,
            arguments: [try StoredJSON.text(ranges)]
        ) { row in
            weights[row.integer(0)] = row.integer(1)
            return true
        }
        return weights
    }

    /// Adds what is packed of a range of users to the table.
    func fold(range: Int64) throws {
        var sums: [Entry] = []
        try forEachPart(ofRange: range) { _, data in
            PackedActivity.forEach(in: data, ofRange: range) { sums.append(($0, $1)) }
        }
        try write(Self.ordered(sums))
        try database.cachedStatement(
            sql: "DELETE FROM recently_removed_activity WHERE users = ?"
        ).execute(arguments: [range])
    }

    /// Adds what is packed of a user to the table: before the user is merged or deleted.
    func fold(of user: ProfileID) throws {
        let range = PackedActivity.range(of: user.rawValue)
        var own: [Entry] = []
        var parts: [StatementArguments] = []
        try forEachPart(ofRange: range) { part, data in
            var others: [Entry] = []
            let before = own.count
            PackedActivity.forEach(in: data, ofRange: range) { key, sum in
                if key.profile == user.rawValue {
                    own.append((key, sum))
                } else {
                    others.append((key, sum))
                }
            }
            guard own.count > before else { return }
            parts.append([PackedActivity(others).data, range, part])
        }
        guard !own.isEmpty else { return }
        try write(Self.ordered(own))
        try database.cachedStatement(
            sql: "UPDATE recently_removed_activity SET sums = ? WHERE users = ? AND part = ?"
        ).execute(forEach: parts)
    }

    /// - Parameter sums: In order, at most one of each user and name.
    private func write(_ sums: some Sequence<Entry>) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO removed_activity (profile_id, name_id, count, first, last)
                VALUES (?, ?, ?, ?, ?)
                \(RemovedSum.adding(to: "removed_activity", by: "name_id"))
                """
        ).execute(
            forEachOf: sums.map { key, sum in
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
        let range = PackedActivity.range(of: user.rawValue)
        var found: Sums = [:]
        try forEachPart(ofRange: range) { _, data in
            PackedActivity.forEach(in: data, ofRange: range) { key, sum in
                if key.profile == user.rawValue { found.add(sum, for: key) }
            }
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
        try forEachPart(ofRange: next) { _, data in
            PackedActivity.forEach(in: data, ofRange: next) { found.add($1, for: $0) }
        }
        return (next, found)
    }

    private func forEachPart(
        ofRange range: Int64,
        _ body: (_ part: Int64, _ sums: Data) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT part, sums FROM recently_removed_activity WHERE users = ?
                    ORDER BY part
                    """
            ),
            arguments: [range]
        )
        while let row = try rows.next() { try body(row[0], row[1]) }
    }
}
