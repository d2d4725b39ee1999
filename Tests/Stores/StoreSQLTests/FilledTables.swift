import Foundation
import Relational

@testable import StoreSQL

/// Rows for the tables that a test's own steps leave empty: what they say means nothing.
enum FilledTables {
    /// Rows in each; fewer where there are not as many rows to refer to.
    private static let rows: Int64 = 3

    static func fill(_ store: SQLStore) async throws {
        try await store.write { database in
            var rest = try database.tableLayouts()
            var done: Set<String> = []
            while let index = rest.firstIndex(where: { $0.parents.isSubset(of: done) }) {
                let table = rest.remove(at: index)
                done.insert(table.name)
                if try count(table.name, database) == 0 { try fill(table, database) }
            }
        }
    }

    /// The tables without a row.
    static func empty(_ store: SQLStore) async throws -> [String] {
        try await store.read { database in
            try database.tableLayouts().map(\.name).filter { try count($0, database) == 0 }
        }
    }

    private static func count(_ table: String, _ database: Database) throws -> Int {
        try Int.fetchOnly(database, sql: "SELECT count(*) FROM \"\(table)\"")
    }

    private static func fill(_ table: TableLayout, _ database: Database) throws {
        let references = try Row.fetchAll(
            database,
            sql: #"SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)"#,
            arguments: [table.name]
        ).map { (column: $0[0] as String, table: $0[1] as String, key: $0[2] as String) }
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        for row in 0..<rows {
            var values: [DatabaseValue] = []
            for column in table.columns {
                guard let reference = references.first(where: { $0.column == column.name }) else {
                    values.append(value(of: column.kind, row))
                    continue
                }
                let key = try Row.fetchOne(
                    database,
                    sql: "SELECT \"\(reference.key)\" FROM \"\(reference.table)\" LIMIT 1 OFFSET ?",
                    arguments: [row]
                )
                guard let key else { return }
                values.append(key[0])
            }
            try database.execute(
                sql: "INSERT OR IGNORE INTO \"\(table.name)\" (\(names)) VALUES (\(marks))",
                arguments: StatementArguments(values)
            )
        }
    }

    /// Also what is hard to move: a text with U+0000 and with characters beyond the first plane, bytes that are
    /// no text, and the ends of the range of integers are in rows of their own.
    private static func value(of kind: TableLayout.Kind, _ row: Int64) -> DatabaseValue {
        switch kind {
        case .integer: .integer(row + 1)
        case .double: .double(0.1 * Double(row))
        case .text: .text("text \(row)")
        case .bytes: .bytes(Data([UInt8(row), 0, 0xFF, 0x80]))
        }
    }

    static let oddTexts = [
        "", "\u{0}", "a\u{0}b\(nonCharacters)", "é\u{301}😀\u{10FFFD}'\"\\\n\t",
    ]

    /// U+FDD0 and U+FDD1, by which U+0000 travels.
    private static let nonCharacters = String(
        decoding: [0xEF, 0xB7, 0x90, 0xEF, 0xB7, 0x91, 0xEF, 0xB7, 0x90] as [UInt8],
        as: UTF8.self
    )

    /// Writes them to a table in which nothing refers to them.
    static func addOddValues(_ store: SQLStore) async throws {
        try await store.write { database in
            for (index, text) in oddTexts.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO set_aside_rows (table_name, row_id, reason, content, set_aside_at)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        text, index.isMultiple(of: 2) ? Int64.min : .max, text + text,
                        String(repeating: text, count: 5_000), Int64(index),
                    ]
                )
            }
        }
    }
}
