import Foundation
import Model
import Relational

/// The check common to all tables: texts without U+0000 and times within the years 1 to 9999. The
/// columns come from the schema, so that a new table is checked as well.
struct StoredTable {
    /// Tables whose rows record events: a wrong time makes the row worthless. In other tables the
    /// time is repaired.
    private static let occurrences: Set<String> = [
        "events", "push_interactions", "in_app_message_interactions", "pending_triggers",
    ]
    /// Tables that this check skips: rows that were set aside, and the record of migrations.
    private static let ignored: Set<String> = ["set_aside_rows", "grdb_migrations"]

    let name: String
    /// The column by whose integer a row is named; `nil` if there is none.
    let number: String?
    let texts: [String]
    let times: [String]

    private init(_ layout: TableLayout, _ kind: DatabaseKind) {
        name = layout.name
        func named(_ kind: TableLayout.Kind) -> [String] {
            layout.columns.filter { $0.kind == kind }.map(\.name)
        }
        let integers = named(.integer)
        // The number that SQLite gives a row is no column of the schema.
        number = layout.order.first.flatMap { first in
            guard layout.order.count == 1, first == "rowid" || integers.contains(first) else {
                return nil
            }
            return first
        }
        // PostgreSQL takes no U+0000.
        texts = kind == .sqlite ? named(.text) : []
        times = integers.filter { $0 == "time" || $0.hasSuffix("_at") }
    }

    static func all(_ database: Database) throws -> [StoredTable] {
        try database.tableLayouts().filter { !ignored.contains($0.name) }
            .map { StoredTable($0, database.kind) }
    }

    func check(_ database: Database, _ report: inout DoctorReport) throws {
        report.rows += try Int.fetchOnly(database, sql: "SELECT count(*) FROM \(name)")
        try checkTimes(database, &report)
        try checkTexts(database, &report)
    }

    private func checkTimes(_ database: Database, _ report: inout DoctorReport) throws {
        let range = Timestamp.milliseconds
        for column in times {
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(number ?? "NULL"), \(column) FROM \(name)
                    WHERE \(column) NOT BETWEEN ? AND ?
                    """,
                arguments: [range.lowerBound, range.upperBound]
            )
            while let row = try rows.next() {
                report.faults.append(
                    StoredFault(
                        table: name,
                        row: row[0],
                        reason: "\(column) is \(row[1] as Int64), outside the years 1 to 9999",
                        remedy: number != nil && Self.occurrences.contains(name)
                            ? .setAside : .nearestTime
                    )
                )
            }
        }
    }

    /// Selects the columns as bytes, because SQLite ends a text at U+0000 when it is read as one.
    static func bytes(of columns: [String]) -> String {
        columns.map { "CAST(\($0) AS BLOB) AS \($0)" }.joined(separator: ", ")
    }

    private func checkTexts(_ database: Database, _ report: inout DoctorReport) throws {
        guard !texts.isEmpty else { return }
        // Raw and as a JSON escape; whether the escape's backslash is itself escaped is checked
        // below.
        let suspicions = texts.map {
            "instr(CAST(\($0) AS BLOB), x'00') OR instr(\($0), '\\u0000')"
        }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(number ?? "NULL") AS doctor_row, \(Self.bytes(of: texts))
                FROM \(name) WHERE \(suspicions.joined(separator: " OR "))
                """
        )
        while let row = try rows.next() {
            let found = texts.filter { column in
                guard let bytes = row[column] as Data? else { return false }
                let text = String(decoding: bytes, as: UTF8.self)
                return text.withoutNull != text
            }
            for column in found {
                report.faults.append(
                    StoredFault(
                        table: name,
                        row: row["doctor_row"],
                        reason: "\(column) contains U+0000",
                        remedy: number == nil ? .none : .withoutNull
                    )
                )
            }
        }
    }
}
