import Foundation
import Model
import Relational
import Segments

/// Finds the events of users, by whom the table has no index of its own: events that come together are of many
/// users, and each of them would change a page of it.
///
/// As soon as enough rows follow one another behind the last block they become the next one, which is written once:
/// for each of a few buckets of users, where in the block their rows are. Whose events are looked for is looked up in
/// each block's part of one bucket; what is in no block yet are the last rows, which are read.
///
/// What the index says is only ever too much: each row that it names is looked at. Rows that change their user are
/// added where they are; those of deleted users and removed ones stay in it until their block is written anew,
/// because only a quarter of it is left.
struct UserEventIndex {
    /// Users whose numbers have the same last bits share one.
    private static let bucketBits: Int64 = 7
    static let buckets: Int64 = 1 << bucketBits
    /// How many rows without a block are read one by one; where there are more, the index is of no use yet.
    private static let patience: Int64 = 65_536
    /// A block is of rows that there can be, as damaged ones are not.
    private static let isBlock = "first > 0 AND first <= last"
    /// Blocks that one transaction writes anew at the most.
    private static let rewrites = 2
    /// How many rows are asked for at once.
    private static let portion = 5_000

    struct Block: Hashable {
        var number: Int64
        var first: Int64
        var last: Int64
    }

    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    // MARK: Looking

    /// The numbers of users' events, in their order; `nil` where the index is too far behind.
    func rows(of profiles: [ProfileID]) throws -> [ProfileID: [Int64]]? {
        // Blocks first: what a later one has is among the last rows here.
        let blocks = try blocks()
        let end = blocks.last?.last ?? 0
        guard try database.last(of: "events") <= end.addingSaturated(Self.patience) else {
            return nil
        }
        guard !profiles.isEmpty else { return [:] }
        let users = try StoredJSON.text(profiles)
        var found: [ProfileID: [Int64]] = [:]
        var named = try named(Set(profiles.map(\.rawValue)), in: blocks).sorted()[...]
        while !named.isEmpty {
            try look(
                "id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))",
                [try StoredJSON.text(Array(named.prefix(Self.portion))), users],
                &found
            )
            named = named.dropFirst(Self.portion)
        }
        try look("id > ?", [end, users], &found)
        return found
    }

    /// A user's events as a list of their numbers in JSON, also where the index is too far behind.
    func list(of profile: ProfileID) throws -> String {
        let workspace = try Int64.fetchOne(
            try database.cachedStatement(sql: "SELECT workspace_id FROM profiles WHERE id = ?"),
            arguments: [profile.rawValue]
        )
        guard let workspace else { return "[]" }
        return try list(of: [profile], in: WorkspaceID(workspace))
    }

    /// The same of several users of a workspace.
    func list(of profiles: [ProfileID], in workspace: WorkspaceID) throws -> String {
        if let rows = try rows(of: profiles) {
            return try StoredJSON.text(rows.values.flatMap(\.self).sorted())
        }
        let rows = try Int64.fetchAll(
            database,
            sql: """
                SELECT events.id FROM event_names CROSS JOIN events ON name_id = event_names.id
                WHERE event_names.workspace_id = ?
                    AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [workspace.rawValue, try StoredJSON.text(profiles)]
        )
        return try StoredJSON.text(rows)
    }

    private func look(
        _ condition: String,
        _ arguments: StatementArguments,
        _ found: inout [ProfileID: [Int64]]
    ) throws {
        try RawRows.forEach(
            database,
            sql: """
                SELECT id, profile_id FROM events NOT INDEXED
                WHERE \(condition)
                    AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                ORDER BY id
                """,
            arguments: arguments
        ) { row in
            found[ProfileID(row.integer(1)), default: []].append(row.integer(0))
            return true
        }
    }

    /// The rows that the blocks have of users, which may be other users' or gone by now.
    private func named(_ users: Set<Int64>, in blocks: [Block]) throws -> Set<Int64> {
        let known = Dictionary(uniqueKeysWithValues: blocks.map { ($0.number, $0) })
        var named: Set<Int64> = []
        for bucket in Set(users.map(Self.bucket)) {
            let rows = try Row.fetchCursor(
                try database.cachedStatement(
                    sql: "SELECT block, places FROM user_event_places WHERE bucket = ?"
                ),
                arguments: [bucket]
            )
            while let row = try rows.next() {
                guard let block = known[row[0]] else { continue }
                EventPlaces.forEach(in: row[1]) { place in
                    guard users.contains(Self.user(at: place, in: bucket)) else { return }
                    // Numbers behind its end were given to other rows since.
                    let id = block.first &+ place.distance
                    if id <= block.last { named.insert(id) }
                }
            }
        }
        return named
    }

    func blocks() throws -> [Block] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT block, first, last FROM user_event_blocks WHERE \(Self.isBlock)
                    ORDER BY block
                    """
            )
        ).map { Block(number: $0[0], first: $0[1], last: $0[2]) }
    }

    /// Those that may have rows of a range, in their order.
    private func blocks(with rows: ClosedRange<Int64>) throws -> [Block] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT block, first, last FROM user_event_blocks
                    WHERE last BETWEEN :first AND coalesce(
                        (SELECT min(last) FROM user_event_blocks WHERE last >= :last), :last)
                        AND \(Self.isBlock)
                    ORDER BY last
                    """
            ),
            arguments: ["first": rows.lowerBound, "last": rows.upperBound]
        ).map { Block(number: $0[0], first: $0[1], last: $0[2]) }
    }

    private static func bucket(_ user: Int64) -> Int64 { user & (buckets - 1) }

    static func user(at place: EventPlaces.Place, in bucket: Int64) -> Int64 {
        place.user << bucketBits | bucket
    }

    private static func place(of user: Int64, distance: Int64) -> EventPlaces.Place {
        EventPlaces.Place(user: user >> bucketBits, distance: distance)
    }

    // MARK: Writing

    /// Whether so many rows follow the last block; it may be said of a few less.
    func hasNext(_ count: Int) throws -> Bool {
        try database.last(of: "events") >= end().addingSaturated(Int64(count))
    }

    /// The last row that is in a block.
    private func end() throws -> Int64 {
        try Int64.fetchOnly(
            database,
            sql: "SELECT coalesce(max(last), 0) FROM user_event_blocks WHERE \(Self.isBlock)"
        )
    }

    /// Makes the next block.
    ///
    /// - Parameter count: How many rows it has.
    /// - Returns: Whether so many were there.
    func addNext(_ count: Int) throws -> Bool {
        let rows = try rows("id > ? ORDER BY id LIMIT ?", [end(), count])
        guard rows.count == count else { return false }
        let number = try Int64.fetchOnly(
            database,
            sql: "SELECT coalesce(max(block), 0) + 1 FROM user_event_blocks"
        )
        try write(rows, asBlock: number)
        return true
    }

    private func rows(
        _ condition: String,
        _ arguments: StatementArguments
    ) throws -> [(id: Int64, user: Int64)] {
        var rows: [(id: Int64, user: Int64)] = []
        try RawRows.forEach(
            database,
            sql: "SELECT id, profile_id FROM events WHERE \(condition)",
            arguments: arguments
        ) { row in
            rows.append((row.integer(0), row.integer(1)))
            return true
        }
        return rows
    }

    /// - Parameter rows: At least one, in their order.
    private func write(_ rows: [(id: Int64, user: Int64)], asBlock number: Int64) throws {
        guard let first = rows.first?.id, let last = rows.last?.id else { return }
        try database.execute(
            sql: """
                INSERT INTO user_event_blocks (block, first, last, size, kept)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (block) DO UPDATE SET first = excluded.first, last = excluded.last,
                    size = excluded.size, kept = excluded.kept
                """,
            arguments: [number, first, last, rows.count, rows.count]
        )
        var buckets: [[EventPlaces.Place]] = Array(repeating: [], count: Int(Self.buckets))
        // A row whose user cannot be one is nobody's.
        for row in rows where row.user >= 0 {
            let place = Self.place(of: row.user, distance: row.id - first)
            buckets[Int(Self.bucket(row.user))].append(place)
        }
        // All of them: of a block whose rows were deleted there may be some with its number.
        try database.cachedStatement(
            sql: """
                INSERT INTO user_event_places (bucket, block, places) VALUES (?, ?, ?)
                ON CONFLICT (bucket, block) DO UPDATE SET places = excluded.places
                """
        ).execute(
            forEach: buckets.enumerated().map { bucket, places in
                [Int64(bucket), number, EventPlaces(places.sorted()).data]
            }
        )
    }

    /// Notes that rows are a user's now.
    func add(_ rows: [Int64], of profile: ProfileID) throws {
        let user = profile.rawValue
        var added: [Int64: [EventPlaces.Place]] = [:]
        for (block, rows) in Self.split(rows, among: try blocks()) {
            added[block.number] = rows.map { Self.place(of: user, distance: $0 - block.first) }
        }
        guard !added.isEmpty else { return }
        let stored = try Row.fetchAll(
            database,
            sql: """
                SELECT block, places FROM user_event_places
                WHERE bucket = ? AND block IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [Self.bucket(user), try StoredJSON.text(added.keys.sorted())]
        )
        try database.cachedStatement(
            sql: "UPDATE user_event_places SET places = ? WHERE bucket = ? AND block = ?"
        ).execute(
            forEach: stored.map { row in
                let number: Int64 = row[0]
                let places = Set(EventPlaces.places(in: row[1])).union(added[number] ?? [])
                return [EventPlaces(places.sorted()).data, Self.bucket(user), number]
            }
        )
    }

    /// Notes that rows are gone, and writes blocks anew of which little is left.
    ///
    /// - Parameter rows: In order.
    func remove(_ rows: [Int64]) throws {
        guard let first = rows.first, let last = rows.last else { return }
        let gone = Self.split(rows, among: try blocks(with: first...last))
        guard !gone.isEmpty else { return }
        try database.cachedStatement(
            sql: "UPDATE user_event_blocks SET kept = kept - ? WHERE block = ?"
        ).execute(forEach: gone.map { [$0.value.count, $0.key.number] })
        let few = try Row.fetchAll(
            database,
            sql: """
                SELECT block, first, last FROM user_event_blocks WHERE kept * 4 < size
                ORDER BY block LIMIT ?
                """,
            arguments: [Self.rewrites]
        )
        for row in few {
            let number: Int64 = row[0]
            let left = try self.rows(
                "id BETWEEN ? AND ? ORDER BY id",
                [row[1] as Int64, row[2] as Int64]
            )
            guard left.isEmpty else {
                try write(left, asBlock: number)
                continue
            }
            try database.execute(
                sql: "DELETE FROM user_event_blocks WHERE block = ?",
                arguments: [number]
            )
            try database.cachedStatement(
                sql: "DELETE FROM user_event_places WHERE bucket = ? AND block = ?"
            ).execute(forEach: (0..<Self.buckets).map { [$0, number] })
        }
    }

    /// Rows by the block that they are in; those in no block are left out.
    private static func split(_ rows: [Int64], among blocks: [Block]) -> [Block: [Int64]] {
        var split: [Block: [Int64]] = [:]
        for row in rows {
            // The first block that does not end before it.
            var (low, high) = (blocks.startIndex, blocks.endIndex)
            while low < high {
                let middle = (low + high) / 2
                if blocks[middle].last < row { low = middle + 1 } else { high = middle }
            }
            guard low < blocks.endIndex, blocks[low].first <= row else { continue }
            split[blocks[low], default: []].append(row)
        }
        return split
    }
}
