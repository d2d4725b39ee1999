import Model
import Relational

/// What is kept of events whose rows were removed: of each user and name how many they were, and when the first
/// and the last one happened.
///
/// There are about as many sums as users have names, and those of rows that lie together are scattered among all
/// of them: nearly each would cost a page. So they are added to a small table at first, whose pages are few, and
/// from there to the large one in the order of users, when each of its pages gets many.
struct RemovedActivity {
    /// Of how many steps the small table takes the sums. With more of them each step changes more of its pages,
    /// with fewer the large table is gone through more often.
    static let steps = 20

    /// The sums of a user and name may be in both tables.
    static let tables = ["removed_activity", recent]

    /// All sums as a table.
    static let rows =
        "(" + tables.map { "SELECT * FROM \($0)" }.joined(separator: " UNION ALL ") + ")"

    private static let recent = "recently_removed_activity"

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func add(_ sums: [RemovableEvents.User: RemovedSum]) throws {
        try RemovedSum.add(
            sums.lazy.map { (user: $0.key.profile, key: $0.key.name, sum: $0.value) },
            to: Self.recent,
            by: "name_id",
            database
        )
    }

    /// Takes the next sums from the small table to the large one.
    ///
    /// - Returns: Whether all are there.
    func fold(atMost count: Int) throws -> Bool {
        let last = try Row.fetchOne(
            database,
            sql: """
                SELECT profile_id, name_id FROM \(Self.recent)
                ORDER BY profile_id, name_id LIMIT 1 OFFSET ?
                """,
            arguments: [count - 1]
        )
        let (user, name): (Int64, Int64) = last.map { ($0[0], $0[1]) } ?? (.max, .max)
        try database.execute(
            sql: """
                INSERT INTO removed_activity (profile_id, name_id, count, first, last)
                SELECT profile_id, name_id, count, first, last FROM \(Self.recent)
                WHERE (profile_id, name_id) <= (?, ?) ORDER BY profile_id, name_id
                \(RemovedSum.adding(to: "removed_activity", by: "name_id"))
                """,
            arguments: [user, name]
        )
        try database.execute(
            sql: "DELETE FROM \(Self.recent) WHERE (profile_id, name_id) <= (?, ?)",
            arguments: [user, name]
        )
        return last == nil
    }
}
