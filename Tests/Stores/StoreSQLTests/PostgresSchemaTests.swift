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

    private func withStores(_ body: (_ file: SQLStore, _ server: SQLStore) async throws -> Void)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "noroshi-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try SQLStore.testing(at: folder.appending(path: "file").path, on: .sqlite)
        try await Slots.postgres.run {
            let server = try SQLStore.testing(
                at: folder.appending(path: "server").path,
                on: .postgres
            )
            try await body(file, server)
            try await server.close()
        }
        try await file.close()
    }

    @Test(
        "has the tables and columns that SQLite has",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func columns() async throws {
        try await withStores { file, server in
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
                ).map {
                    Column(table: $0["table"], name: $0["name"], isRequired: $0["is_required"])
                }
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

    private struct Index: Hashable, CustomStringConvertible {
        var table: String
        /// In their order.
        var columns: String
        var isUnique: Bool
        /// Whether it has some of the rows only.
        var isPartial: Bool

        init(_ row: Row) {
            table = row["table"]
            columns = row["columns"]
            isUnique = row["is_unique"]
            isPartial = row["is_partial"]
        }

        var description: String {
            "\(table) (\(columns))\(isUnique ? " unique" : "")\(isPartial ? " where …" : "")"
        }
    }

    /// The row number, which SQLite has at the end of each index, where something is read in its order.
    private static let numbered: [String: String] = [
        "journey_entries (journey_id,due_at) where …":
            "journey_entries (journey_id,due_at,id) where …",
        "dispatches (send_id,lane,due_at) where …":
            "dispatches (send_id,lane,due_at,device_id) where …",
        "in_app_message_interactions (workspace_id,message_id)":
            "in_app_message_interactions (workspace_id,message_id,id)",
    ]

    /// What each event changes: with an index of it no update of a profile would stay in its page.
    private static let leftOut: Set<String> = ["profiles (workspace_id,updated_at)"]

    @Test(
        "has the keys and indexes that SQLite has, and lower case where that minds none",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func indexes() async throws {
        try await withStores { file, server in
            let expected = try await file.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT tables.name AS "table", (
                                SELECT group_concat(iif(coll = 'NOCASE', '(…)', coalesce(name, '(…)'))) FROM (
                                    SELECT name, coll FROM pragma_index_xinfo(indexes.name)
                                    WHERE key ORDER BY seqno
                                )
                            ) AS columns, indexes."unique" AS is_unique, indexes.partial AS is_partial
                        FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS indexes
                        WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                        UNION SELECT tables.name, (
                                SELECT group_concat(name) FROM (
                                    SELECT name FROM pragma_table_xinfo(tables.name) WHERE pk ORDER BY pk
                                )
                            ) AS columns, 1, 0
                        FROM pragma_table_list AS tables
                        WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                            AND columns IS NOT NULL AND NOT EXISTS (
                                SELECT 1 FROM pragma_index_list(tables.name) WHERE origin = 'pk'
                            )
                        """
                ).map(Index.init)
            }
            let found = try await server.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT tables.relname AS "table", (
                                SELECT string_agg(coalesce(columns.attname, '(…)'), ',' ORDER BY parts.place)
                                FROM unnest(indexes.indkey) WITH ORDINALITY AS parts (number, place)
                                LEFT JOIN pg_attribute AS columns ON columns.attrelid = tables.oid
                                    AND columns.attnum = parts.number AND parts.number > 0
                                WHERE parts.place <= indexes.indnkeyatts
                            ) AS columns,
                            indexes.indisunique AS is_unique, indexes.indpred IS NOT NULL AS is_partial
                        FROM pg_index AS indexes JOIN pg_class AS tables ON tables.oid = indexes.indrelid
                        WHERE tables.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                        """
                ).map(Index.init)
            }.filter { !Self.own.contains($0.table) }
            #expect(expected.count > 150)
            let names = Set(expected.map { Self.numbered["\($0)"] ?? "\($0)" })
            let others = Set(found.map(\.description))
            #expect(others.subtracting(names) == [])
            #expect(names.subtracting(others) == Self.leftOut)
        }
    }

    @Test("has the triggers that SQLite has", .enabled(if: TemporaryPostgres.isInstalled))
    func triggers() async throws {
        try await withStores { file, server in
            let expected = try await file.read { database in
                try Row.fetchAll(
                    database,
                    sql:
                        "SELECT tbl_name AS \"table\", name FROM sqlite_master WHERE type = 'trigger'"
                ).map { "\($0["table"] as String): \($0["name"] as String)" }
            }
            let found = try await server.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT tables.relname AS "table", triggers.tgname AS name
                        FROM pg_trigger AS triggers JOIN pg_class AS tables ON tables.oid = triggers.tgrelid
                        WHERE NOT triggers.tgisinternal
                            AND tables.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                        """
                ).map { (table: $0["table"] as String, name: $0["name"] as String) }
            }.filter { trigger in
                // Row numbers, which SQLite gives by itself; and what SQLite does in one trigger with another.
                trigger.name != "\(trigger.table)_numbers" && trigger.name != "device_updated_only"
            }.map { trigger in
                // PostgreSQL runs them by name, SQLite the last one first: numbers put them in that order.
                "\(trigger.table): \(trigger.name.replacing(/^facts_[0-9]_/, with: "facts_"))"
            }
            #expect(expected.count > 20)
            #expect(found.sorted() == expected.sorted())
        }
    }
}
