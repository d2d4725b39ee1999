import Foundation
import GRDB
import Testing

@testable import StoreSQL

/// A file that an earlier version left, at each step of the schema there has been.
@Suite("A file of an earlier schema")
struct UpgradeTests {
    private typealias Rows = [String: [[String: DatabaseValue]]]

    private static func file(_ name: String) -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(name)-\(UUID().uuidString).sqlite").path
    }

    private static func tables(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                """
        )
    }

    /// Every row of every table, by column.
    private static func rows(_ database: Database) throws -> Rows {
        var all: Rows = [:]
        for table in try tables(database) {
            all[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
                Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
            }
        }
        return all
    }

    private struct ColumnInfo {
        let name: String
        let type: String
        let mustBeGiven: Bool

        init(_ row: Row) {
            name = row["name"]
            type = row["type"]
            mustBeGiven = row["notnull"] && row["dflt_value"] == nil
        }
    }

    /// What a column that is gone today held where it had to hold something.
    private static func placeholder(_ column: ColumnInfo) -> DatabaseValue {
        switch column.type.uppercased() {
        case "INTEGER", "REAL": 0.databaseValue
        case "BLOB": Data().databaseValue
        default: "".databaseValue
        }
    }

    /// Takes a file, or a new one, to the schema of the first steps.
    private static func migrate(_ path: String, steps: Int) throws {
        let queue = try queue(path)
        var migrator = DatabaseMigrator()
        for (name, sql) in Migrations.steps.prefix(steps) {
            migrator.registerMigration(name) { try $0.execute(sql: sql) }
        }
        try migrator.migrate(queue)
        try queue.close()
    }

    private static func queue(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Fills a file with what its tables can hold of the rows.
    private static func fill(_ path: String, with rows: Rows) throws -> Rows {
        try queue(path).write { database in
            for table in try tables(database) {
                guard let known = rows[table] else { continue }
                try database.execute(sql: "DELETE FROM \(table)")
                // Generated columns are computed by SQLite.
                let columns = try Row.fetchAll(
                    database,
                    sql: "SELECT * FROM pragma_table_xinfo(?) WHERE hidden = 0",
                    arguments: [table]
                ).map(ColumnInfo.init)
                for row in known {
                    var values: [String: DatabaseValue] = [:]
                    for column in columns {
                        if let value = row[column.name] {
                            values[column.name] = value
                        } else if column.mustBeGiven {
                            values[column.name] = placeholder(column)
                        }
                    }
                    let names = values.keys.sorted()
                    try database.execute(
                        sql: """
                            INSERT INTO \(table) (\(names.joined(separator: ", ")))
                            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
                            """,
                        arguments: StatementArguments(names.map { values[$0] ?? .null })
                    )
                }
            }
            return try Self.rows(database)
        }
    }

    /// The rows without the columns that one of the two does not have, in an order of their own.
    private static func common(_ rows: Rows, _ other: Rows, in table: String) -> [String] {
        let columns = Set(other[table]?.first?.keys ?? [:].keys)
        return (rows[table] ?? []).map { row in
            row.filter { columns.contains($0.key) }.sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }.sorted()
    }

    @Test("is brought up to date with every row it has, whichever step it stopped at")
    func everyStep() async throws {
        let modern = Self.file("modern")
        defer { try? FileManager.default.removeItem(atPath: modern) }
        let store = try SQLStore(path: modern, synchronous: .normal)
        _ = try await Twin(store)
        _ = try await Twin(store)
        let rows = try await store.sqliteFile().read { try Self.rows($0) }
        // Each has the steps of the one before, which are not taken again.
        let empty = Self.file("empty")
        defer { try? FileManager.default.removeItem(atPath: empty) }
        for steps in 1...Migrations.steps.count {
            let last = Migrations.steps[steps - 1].name
            try Self.migrate(empty, steps: steps)
            let path = Self.file("old")
            defer { try? FileManager.default.removeItem(atPath: path) }
            try FileManager.default.copyItem(atPath: empty, toPath: path)
            let before = try Self.fill(path, with: rows)
            #expect(before["workspaces"]?.count == 2 && before["profiles"]?.count == 4)
            let upgraded = try SQLStore(path: path, synchronous: .normal)
            let after = try await upgraded.sqliteFile().read { try Self.rows($0) }
            for table in before.keys.sorted() {
                #expect(
                    Self.common(after, before, in: table) == Self.common(before, after, in: table),
                    "\(table) after '\(last)'"
                )
            }
            let flaws = try await upgraded.sqliteFile().read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
                    + Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "\($0)" }
            }
            #expect(flaws == ["ok"], "after '\(last)'")
            let report = try await DatabaseDoctor(upgraded).examine()
            #expect(report.isHealthy, "after '\(last)': \(report.faults)")
        }
    }

    @Test("has the sums of removed events that a pass in its middle had not added yet")
    func middleOfPass() async throws {
        let path = Self.file("middle")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let steps = try #require(
            Migrations.steps.firstIndex { $0.name == "packed sums of removed events" }
        )
        try Self.migrate(path, steps: steps)
        let queue = try Self.queue(path)
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO removed_activity VALUES (1, 7, 3, 100, 900), (1, 8, 1, 5, 5);
                    INSERT INTO recently_removed_activity
                        VALUES (1, 7, 2, 50, 800), (1, 8, 4, 3, 9), (600, 7, 1, 2, 2);
                    """
            )
        }
        try queue.close()
        let store = try SQLStore(path: path, synchronous: .normal)
        let sums = try await store.sqliteFile().read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM removed_activity ORDER BY profile_id, name_id"
            ).map { row in row.map { Int64.fromDatabaseValue($1) ?? -1 } }
        }
        #expect(sums == [[1, 7, 5, 50, 900], [1, 8, 5, 3, 9], [600, 7, 1, 2, 2]])
        try await store.close()
    }
}
