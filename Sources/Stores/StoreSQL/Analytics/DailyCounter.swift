import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Brings the daily counts of a workspace up to date with its rows, in bounded steps.
struct DailyCounter {
    /// Maximum number of events per transaction, so that ingestion does not wait for long.
    private static let chunk = 20_000
    private static let purchase = "$purchase"

    private let database: Database
    private let workspace: WorkspaceID
    private let days: LocalDays
    private let unreadable: UnreadableRows

    private struct Quarter: Hashable {
        var name: Int64
        var start: Int64
    }

    private struct Key: Hashable {
        var name: Int64
        var day: Int64
        var item = ""
        var currency = ""
    }

    private struct Count {
        var count = 0.0
        /// In millionths, as a whole number, so that sums do not depend on the order.
        var amount = 0.0
    }

    init(
        _ database: Database,
        in workspace: WorkspaceID,
        days: LocalDays,
        _ unreadable: UnreadableRows
    ) {
        self.database = database
        self.unreadable = unreadable
        self.workspace = workspace
        self.days = days
    }

    /// Takes one step.
    ///
    /// - Returns: `false` if nothing is left to do.
    func step() throws -> Bool {
        let mark = try mark()
        let names = try names()
        var newest: Int64?
        var counts: [Key: Count] = [:]
        var numbers: [Quarter: Int] = [:]
        var calendar = QuarterDays(days)
        let purchaseID = names.first { $0.value == Self.purchase }?.key
        var read = 0
        try RawRows.forEach(
            database,
            sql: """
                SELECT id, name_id, time, CASE WHEN name_id = :purchase THEN properties END
                FROM events WHERE id > :mark ORDER BY id LIMIT :limit
                """,
            arguments: ["mark": mark, "limit": Self.chunk, "purchase": purchaseID ?? 0]
        ) { row in
            read += 1
            let (id, name, time) = (row.integer(0), row.integer(1), row.integer(2))
            newest = id
            guard names[name] != nil else { return true }
            try unreadable.value("events", id) {
                try StoredTime.check(time)
                let purchase = name == purchaseID ? try Purchase(row.text(3)) : nil
                let quarter = Quarter(name: name, start: QuarterDays.quarter(of: time))
                numbers[quarter, default: 0] += 1
                if let purchase { add(purchase, name, calendar.start(of: time), to: &counts) }
            }
            return true
        }
        for (quarter, number) in numbers {
            let key = Key(name: quarter.name, day: calendar.start(of: quarter.start))
            counts[key, default: Count()].count += Double(number)
        }
        try save(counts)
        try forgetActiveUsers(on: counts.keys.filter { names[$0.name] == "$session_start" })
        try recount(names, upTo: newest ?? mark)
        try database.execute(
            sql: """
                UPDATE daily_count_marks SET event_id = ?, version = version + 1
                WHERE workspace_id = ? AND (event_id <> ? OR ?)
                """,
            arguments: [newest ?? mark, workspace.rawValue, newest ?? mark, !counts.isEmpty]
        )
        return read == Self.chunk
    }

    /// The last counted event. A change of the time zone moves the day boundaries, so counting
    /// starts over.
    private func mark() throws -> Int64 {
        let zone = days.timeZone.identifier
        let stored = try Row.fetchOne(
            database,
            sql: "SELECT time_zone, event_id FROM daily_count_marks WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
        if let stored, stored["time_zone"] == zone { return stored["event_id"] }
        try Self.forget(workspace, database)
        try database.execute(
            sql: """
                INSERT INTO daily_count_marks (workspace_id, time_zone, event_id, version)
                VALUES (?, ?, 0, 0)
                ON CONFLICT (workspace_id) DO UPDATE SET time_zone = excluded.time_zone,
                    version = daily_count_marks.version + 1
                """,
            arguments: [workspace.rawValue, zone]
        )
        return 0
    }

    /// Deletes all daily counts of a workspace.
    static func forget(_ workspace: WorkspaceID, _ database: Database) throws {
        for table in ["daily_counts", "changed_quarters"] {
            try database.execute(
                sql: """
                    DELETE FROM \(table) WHERE name_id IN (
                        SELECT id FROM event_names WHERE workspace_id = ?)
                    """,
                arguments: [workspace.rawValue]
            )
        }
        try database.execute(
            sql: "DELETE FROM daily_active_users WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
        try database.execute(
            sql: """
                UPDATE daily_count_marks SET event_id = 0, version = version + 1
                WHERE workspace_id = ?
                """,
            arguments: [workspace.rawValue]
        )
    }

    private func names() throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, name FROM event_names WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
        while let row = try rows.next() { names[row[0]] = row[1] }
        return names
    }

    /// The amounts that a stored purchase adds to the counts.
    private struct Purchase {
        var product: String
        var currency: String
        var quantity: Double
        /// In millionths, as a whole number.
        var amount: Double

        init(_ properties: String?) throws {
            let members = try StoredJSON.object(properties)
            product = members["product_id"]?.stringValue ?? ""
            currency = members["currency"]?.stringValue ?? ""
            quantity = Double(members["quantity"]?.integerValue ?? 1)
            let paid = (members["price"]?.doubleValue ?? 0) * quantity
            amount = (paid * 1_000_000).rounded()
            guard abs(amount) <= Self.amountLimit else {
                throw StoreError(.unreadable, .amount, ["value": "\(paid)"])
            }
        }

        /// A hundred pieces at the highest price that is taken, 10^12.
        private static let amountLimit = 1e20
    }

    private func add(
        _ purchase: Purchase,
        _ name: Int64,
        _ day: Int64,
        to counts: inout [Key: Count]
    ) {
        let key = Key(name: name, day: day, item: purchase.product, currency: purchase.currency)
        counts[key, default: Count()].count += purchase.quantity
        counts[key, default: Count()].amount += purchase.amount
    }

    private func save(_ counts: [Key: Count]) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO daily_counts (name_id, day, item, currency, count, amount)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (name_id, day, item, currency)
                    DO UPDATE SET count = daily_counts.count + excluded.count,
                        amount = daily_counts.amount + excluded.amount
                """
        )
        for (key, count) in counts {
            try statement.execute(arguments: [
                key.name, key.day, key.item, key.currency, count.count, count.amount,
            ])
        }
    }

    /// Recounts the days whose events were deleted or moved to another user.
    private func recount(_ names: [Int64: String], upTo last: Int64) throws {
        var changed: Set<Key> = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT name_id, quarter FROM changed_quarters WHERE name_id IN (
                    SELECT id FROM event_names WHERE workspace_id = ?)
                """,
            arguments: [workspace.rawValue]
        )
        var calendar = QuarterDays(days)
        while let row = try rows.next() {
            changed.insert(Key(name: row[0], day: calendar.start(of: row[1])))
        }
        guard !changed.isEmpty else { return }
        for key in changed { try recount(key, names[key.name] == Self.purchase, upTo: last) }
        try forgetActiveUsers(on: changed.filter { names[$0.name] == "$session_start" })
        try database.execute(
            sql: """
                DELETE FROM changed_quarters WHERE name_id IN (
                    SELECT id FROM event_names WHERE workspace_id = ?)
                """,
            arguments: [workspace.rawValue]
        )
        try database.execute(
            sql: "UPDATE daily_count_marks SET version = version + 1 WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
    }

    private func recount(_ key: Key, _ isPurchase: Bool, upTo last: Int64) throws {
        let start = Date(milliseconds: key.day)
        let range: StatementArguments = [
            "name": key.name, "start": key.day,
            "end": days.start(of: start, adding: 1).milliseconds, "last": last,
        ]
        let rows = """
            FROM events WHERE name_id = :name AND \(EventTimes.within(":start", ":end")) AND id <= :last
            """
        try database.execute(
            sql: "DELETE FROM daily_counts WHERE name_id = ? AND day = ?",
            arguments: [key.name, key.day]
        )
        var counts: [Key: Count] = [:]
        if isPurchase {
            let found = try Row.fetchCursor(
                database,
                sql: "SELECT id, properties \(rows)",
                arguments: range
            )
            while let row = try found.next() {
                try unreadable.value("events", row[0]) {
                    let purchase = try Purchase(row[1])
                    counts[key, default: Count()].count += 1
                    add(purchase, key.name, key.day, to: &counts)
                }
            }
        } else {
            let count =
                try Int.fetchOnly(database, sql: "SELECT count(*) \(rows)", arguments: range)
            if count > 0 { counts[key] = Count(count: Double(count)) }
        }
        try save(counts)
    }

    /// Deletes the active-user counts that the sessions may affect: their own days and the 366 days
    /// after each.
    private func forgetActiveUsers(on sessions: some Sequence<Key>) throws {
        for day in Set(sessions.map(\.day)) {
            try database.execute(
                sql: """
                    DELETE FROM daily_active_users
                    WHERE workspace_id = ? AND day BETWEEN ? AND ?
                    """,
                arguments: [workspace.rawValue, day, day + 366 * 86_400_000]
            )
        }
    }
}
