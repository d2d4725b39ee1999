import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Relational

/// Repairs the findings of the doctor one by one, in one transaction.
struct RowMender {
    let database: Database
    let now: Date
    private var changedTimes: Set<String> = []
    private var moved: Set<String> = []

    init(database: Database, now: Date) {
        self.database = database
        self.now = now
    }

    mutating func mend(_ fault: StoredFault) throws {
        switch fault.remedy {
        case .setAside:
            guard let row = fault.row, moved.insert("\(fault.table) \(row)").inserted else {
                return
            }
            try setAside(row, fault)
        case .withoutNull:
            if let row = fault.row { try removeNull(row, fault.table) }
        case .nearestTime:
            if changedTimes.insert(fault.table).inserted { try moveTimes(fault.table) }
        case .cancelled:
            if let row = fault.row { try cancel(row) }
        case .counted:
            if let row = fault.row { try DailyCounter.forget(WorkspaceID(row), database) }
        case .none: break
        }
    }

    private func setAside(_ id: Int64, _ fault: StoredFault) throws {
        guard
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM \(fault.table) WHERE rowid = ?",
                arguments: [id]
            )
        else { return }
        try database.execute(
            sql: """
                INSERT INTO set_aside_rows (table_name, row_id, reason, content, set_aside_at)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                fault.table, id, fault.reason, JSONWriter.text(Self.content(of: row)),
                now.milliseconds,
            ]
        )
        if fault.table == "profiles" {
            // Keep the user without any data: their events are history.
            try database.execute(
                sql: "UPDATE profiles SET standard = '{}', custom = '{}' WHERE id = ?",
                arguments: [id]
            )
        } else {
            try database.execute(
                sql: "DELETE FROM \(fault.table) WHERE rowid = ?",
                arguments: [id]
            )
        }
    }

    private static func content(of row: Row) -> [String: JSONValue] {
        var content: [String: JSONValue] = [:]
        for (column, value) in zip(row.columnNames, row.databaseValues) {
            content[column] =
                switch value {
                case .null: .null
                case .integer(let number): .integer(number)
                case .double(let number): .number(number)
                case .text(let text): .string(text)
                case .bytes(let bytes):
                    .string(
                        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                            .joined()
                    )
                }
        }
        return content
    }

    private func removeNull(_ id: Int64, _ table: String) throws {
        let texts = try StoredTable.columns(of: table, database).filter { $0.type == "TEXT" }
            .map(\.name)
        guard
            let row = try Row.fetchOne(
                database,
                sql: "SELECT \(StoredTable.bytes(of: texts)) FROM \(table) WHERE rowid = ?",
                arguments: [id]
            )
        else { return }
        for column in texts {
            guard let bytes = row[column] as Data? else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.withoutNull != text else { continue }
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = ? WHERE rowid = ?",
                arguments: [text.withoutNull, id]
            )
        }
    }

    private func moveTimes(_ table: String) throws {
        let range = Timestamp.milliseconds
        let times = try StoredTable.columns(of: table, database).filter {
            $0.type == "INTEGER" && ($0.name == "time" || $0.name.hasSuffix("_at"))
        }
        for column in times.map(\.name) {
            try database.execute(
                sql: """
                    UPDATE \(table) SET \(column) = min(max(\(column), :first), :last)
                    WHERE \(column) NOT BETWEEN :first AND :last
                    """,
                arguments: ["first": range.lowerBound, "last": range.upperBound]
            )
        }
    }

    /// Cancels a send whose content cannot be read, and keeps the text aside.
    private func cancel(_ id: Int64) throws {
        guard
            let content = try String.fetchOne(
                database,
                sql: "SELECT content FROM sends WHERE id = ?",
                arguments: [id]
            )
        else { return }
        try database.execute(
            sql: """
                INSERT INTO set_aside_rows (table_name, row_id, reason, content, set_aside_at)
                VALUES ('sends', ?, 'content that cannot be read', ?, ?)
                """,
            arguments: [id, content, now.milliseconds]
        )
        // In known cases the schedule is the unreadable part; the message stays readable.
        try database.execute(
            sql: """
                UPDATE sends SET content = json_remove(content, '$.localMoment'),
                    state = CASE WHEN state IN ('finished', 'cancelled') THEN state
                        ELSE 'cancelled' END
                WHERE id = ?
                """,
            arguments: [id]
        )
    }
}
