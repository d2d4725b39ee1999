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
    private let tables: [String: StoredTable]
    private var changedTimes: Set<String> = []
    private var moved: Set<String> = []

    init(database: Database, now: Date) throws {
        self.database = database
        self.now = now
        tables = Dictionary(
            uniqueKeysWithValues: try StoredTable.all(database).map { ($0.name, $0) }
        )
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
            if changedTimes.insert(fault.table).inserted {
                try moveTimes(fault.table, where: "TRUE", [:])
            }
        case .cancelled:
            if let row = fault.row { try cancel(row) }
        case .counted:
            if let row = fault.row { try DailyCounter.forget(WorkspaceID(row), database) }
        case .indexed: try UserEventIndex(database).forget()
        case .packedAgain:
            guard moved.insert(fault.table).inserted else { return }
            try RemovedActivity(database).mend(now: now.milliseconds)
        case .none: break
        }
    }

    private func setAside(_ id: Int64, _ fault: StoredFault) throws {
        guard let number = tables[fault.table]?.number,
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM \(fault.table) WHERE \(number) = ?",
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
            // The quarter of an hour to count again is computed; PostgreSQL has no such quarter for the first
            // milliseconds of a bigint.
            try moveTimes(fault.table, where: "\(number) = :row", ["row": id])
            guard fault.table != "events" else { return try EventDeletion(database).delete([id]) }
            try database.execute(
                sql: "DELETE FROM \(fault.table) WHERE \(number) = ?",
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
        guard let table = tables[table], let number = table.number,
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT \(StoredTable.bytes(of: table.texts)) FROM \(table.name)
                    WHERE \(number) = ?
                    """,
                arguments: [id]
            )
        else { return }
        for column in table.texts {
            guard let bytes = row[column] as Data? else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.withoutNull != text else { continue }
            try database.execute(
                sql: "UPDATE \(table.name) SET \(column) = ? WHERE \(number) = ?",
                arguments: [text.withoutNull, id]
            )
        }
    }

    private func moveTimes(
        _ table: String,
        where condition: String,
        _ arguments: StatementArguments
    ) throws {
        let range = Timestamp.milliseconds
        let limits: StatementArguments = ["first": range.lowerBound, "last": range.upperBound]
        for column in tables[table]?.times ?? [] {
            try database.execute(
                sql: """
                    UPDATE \(table) SET \(column) = min(max(\(column), :first), :last)
                    WHERE \(condition) AND \(column) NOT BETWEEN :first AND :last
                    """,
                arguments: limits + arguments
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
