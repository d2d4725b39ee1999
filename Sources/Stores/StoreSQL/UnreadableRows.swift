import Foundation
import Model
import Ports
import Reasons
import Relational
import Synchronization

/// Sets aside rows that cannot be read, so that such a row does not fail the list, start or export
/// that reads it.
final class UnreadableRows: Sendable {
    /// Maximum number of rows that are remembered; others are only counted, so that a heavily
    /// damaged file does not fill memory.
    private static let limit = 1_000

    private struct Key: Hashable {
        var table: String
        var id: Int64
    }

    private struct Found {
        var reasons: [Key: Reason] = [:]
        /// Number of rows beyond the limit; a row that is met twice counts twice.
        var others = 0
    }

    private let found = Mutex(Found())
    private let report: @Sendable (UnreadableRow) -> Void

    /// - Parameter report: Called once for each of the first thousand rows, when it is first met.
    init(report: @escaping @Sendable (UnreadableRow) -> Void) {
        self.report = report
    }

    var all: (rows: [UnreadableRow], total: Int) {
        found.withLock { found in
            let rows = found.reasons.map {
                UnreadableRow(table: $0.key.table, id: $0.key.id, reason: $0.value)
            }
            return (
                rows.ordered { ($0.table, $0.id) },
                rows.count + found.others
            )
        }
    }

    /// The result of `read`, or `nil` if the row cannot be read.
    func value<Value>(
        _ table: String,
        _ id: @autoclosure () -> Int64,
        _ read: () throws -> Value
    ) rethrows -> Value? {
        do {
            return try read()
        } catch let error as StoreError where error.code == .unreadable {
            note(UnreadableRow(table: table, id: id(), reason: error.reason))
            return nil
        }
    }

    /// The readable rows of a query. The row's number is its column `id`, or 0 if it has none.
    func values<Value>(
        _ rows: [Row],
        of table: String,
        _ read: (Row) throws -> Value
    ) rethrows -> [Value] {
        try rows.compactMap { row in
            try value(table, Self.number(of: row)) { try read(row) }
        }
    }

    private static func number(of row: Row) -> Int64 {
        row.hasColumn("id") ? Int64.fromDatabaseValue(row["id"]) ?? 0 : 0
    }

    private func note(_ row: UnreadableRow) {
        let isNew = found.withLock { found in
            let key = Key(table: row.table, id: row.id)
            guard found.reasons[key] == nil else { return false }
            guard found.reasons.count < Self.limit else {
                found.others += 1
                return false
            }
            found.reasons[key] = row.reason
            return true
        }
        if isNew { report(row) }
    }
}

extension SQLStore: UnreadableRowStore {
    package func unreadableRows() -> (rows: [UnreadableRow], total: Int) { unreadable.all }
}

/// Times as they are stored.
enum StoredTime {
    /// - Throws: `StoreError` with code `unreadable` if the time is outside the years 1 to 9999.
    static func check(_ milliseconds: Int64) throws {
        guard Timestamp.milliseconds.contains(milliseconds) else {
            throw StoreError(.unreadable, .time, ["value": "\(milliseconds)"])
        }
    }

    static func date(_ milliseconds: Int64) throws -> Date {
        try check(milliseconds)
        return Date(milliseconds: milliseconds)
    }
}
