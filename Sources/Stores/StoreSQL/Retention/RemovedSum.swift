import Relational

/// What rows that were removed say together: how many they were, and when first and last.
struct RemovedSum: Hashable {
    var count: Int64
    var first: Int64
    var last: Int64

    init(at time: Int64) {
        (count, first, last) = (1, time, time)
    }

    /// From count, first and last, which are NULL if there are none.
    init?(row: Row) {
        guard let count: Int64 = row[0] else { return nil }
        (self.count, first, last) = (count, row[1], row[2])
    }

    mutating func add(_ time: Int64) {
        count += 1
        first = min(first, time)
        last = max(last, time)
    }

    func adding(_ other: Self) -> Self {
        var sum = self
        sum.count &+= other.count
        sum.first = min(first, other.first)
        sum.last = max(last, other.last)
        return sum
    }

    /// Adds sums to those of the same users and keys in a table of sums.
    ///
    /// - Parameters:
    ///   - sums: At most one of each user and key.
    ///   - key: The column beside the user.
    static func add(
        _ sums: some Sequence<(user: Int64, key: some DatabaseValueConvertible, sum: RemovedSum)>,
        to table: String,
        by key: String,
        _ database: Database
    ) throws {
        // In the order of the table each of its pages is looked for once.
        let ordered = sums.sorted { $0.user < $1.user }
        try database.cachedStatement(
            sql: """
                INSERT INTO \(table) (profile_id, \(key), count, first, last)
                VALUES (?, ?, ?, ?, ?) \(adding(to: table, by: key))
                """
        ).execute(
            forEach: ordered.map { [$0.user, $0.key, $0.sum.count, $0.sum.first, $0.sum.last] }
        )
    }

    /// What an insertion of sums by user and key does where one is there.
    static func adding(to table: String, by key: String) -> String {
        """
        ON CONFLICT (profile_id, \(key)) DO UPDATE SET
            count = \(table).count + excluded.count,
            first = min(\(table).first, excluded.first),
            last = max(\(table).last, excluded.last)
        """
    }
}

extension Dictionary where Value == RemovedSum {
    mutating func add(_ time: Int64, for key: Key) {
        if self[key]?.add(time) == nil { self[key] = RemovedSum(at: time) }
    }

    mutating func add(_ sum: RemovedSum, for key: Key) {
        self[key] = self[key]?.adding(sum) ?? sum
    }
}
