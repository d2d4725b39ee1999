import Foundation
import Relational

extension RemovedActivity {
    private struct Part {
        var range: Int64
        var number: Int64
        var data: Data

        init(_ row: Row) {
            (range, number, data) = (row[0], row[1], row[2])
        }

        /// What can be read of it; `nil` if that is all.
        var rest: [Entry]? {
            var entries: [Entry] = []
            let isWhole = PackedActivity.forEach(in: data, ofRange: range) {
                entries.append(($0, $1))
            }
            return isWhole ? nil : entries
        }

        var reason: String {
            let users = PackedActivity.users(ofRange: range)
            return """
                sums of removed events of users \(users.lowerBound) to \(users.upperBound) \
                cannot all be read
                """
        }
    }

    /// Parts of which sums cannot be read: they would be missing where the others are told.
    func faults() throws -> [StoredFault] {
        try damaged().map { part, _ in
            StoredFault(
                table: "recently_removed_activity",
                reason: part.reason,
                remedy: .packedAgain
            )
        }
    }

    /// Keeps what can be read of damaged parts, and sets them aside as they were.
    func mend(now: Int64) throws {
        for (part, rest) in try damaged() {
            try database.execute(
                sql: """
                    INSERT INTO set_aside_rows (table_name, row_id, reason, content, set_aside_at)
                    VALUES ('recently_removed_activity', ?, ?, ?, ?)
                    """,
                arguments: [
                    part.range, part.reason, try StoredJSON.text(["sums": part.data]), now,
                ]
            )
            try database.execute(
                sql: "UPDATE recently_removed_activity SET sums = ? WHERE users = ? AND part = ?",
                arguments: [PackedActivity(rest).data, part.range, part.number]
            )
        }
    }

    private func damaged() throws -> [(part: Part, rest: [Entry])] {
        var damaged: [(part: Part, rest: [Entry])] = []
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT users, part, sums FROM recently_removed_activity ORDER BY users, part"
        )
        while let row = try rows.next() {
            let part = Part(row)
            if let rest = part.rest { damaged.append((part, rest)) }
        }
        return damaged
    }
}
