import Foundation
import PostgresTesting
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("The schema on PostgreSQL")
struct PostgresSchemaTests {
    @Test("has every migration, in the schema of a release or as a step of its own")
    func migrations() {
        let names = Migrations.steps.map(\.name)
        #expect(PostgresMigrations.ofBaseline.last == PostgresMigrations.baseline)
        #expect(PostgresMigrations.ofBaseline + PostgresMigrations.later.map(\.name) == names)
    }

    private struct Column: Hashable, CustomStringConvertible {
        var table: String
        var name: String
        var isRequired: Bool

        var description: String { "\(table).\(name)\(isRequired ? "" : ", which may be empty")" }
    }

    /// What PostgreSQL's has besides: its claim, and the row numbers that SQLite gives by itself.
    private static let own: Set<String> = ["server_claim", "sqlite_sequence"]

    @Test(
        "has the tables and columns that SQLite has",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func columns() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "noroshi-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try SQLStore.testing(at: folder.appending(path: "file").path, on: .sqlite)
        let server = try SQLStore.testing(at: folder.appending(path: "server").path, on: .postgres)
        let expected = try await file.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT tables.name AS "table", columns.name AS name,
                        columns."notnull" <> 0 OR columns.pk <> 0 AS is_required
                    FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
                    WHERE tables.schema = 'main' AND tables.type = 'table'
                        AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    """
            ).map { Column(table: $0["table"], name: $0["name"], isRequired: $0["is_required"]) }
        }
        let found = try await server.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT table_name, column_name, is_nullable = 'NO' AS is_required
                    FROM information_schema.columns JOIN information_schema.tables
                        USING (table_schema, table_name)
                    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
                    """
            ).map {
                Column(
                    table: $0["table_name"],
                    name: $0["column_name"],
                    isRequired: $0["is_required"]
                )
            }
        }.filter {
            !Self.own.contains($0.table)
                && !($0.table == "preference_centers" && $0.name == "rowid")
        }
        #expect(expected.count > 600)
        #expect(Set(found).subtracting(expected) == [])
        #expect(Set(expected).subtracting(found) == [])
    }
}
