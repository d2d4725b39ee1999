import Foundation
import GRDB
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Columns that name a user")
struct ProfileColumnsTests {
    private struct Place: Hashable, Comparable, CustomStringConvertible {
        var table: String
        var column: String

        var description: String { "\(table).\(column)" }

        static func < (left: Place, right: Place) -> Bool { left.description < right.description }
    }

    @Test(
        "each column of the schema that refers to a user says what a merge and a deletion do",
        .aboutFiles
    )
    func complete() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let found = try await store.sqliteFile().read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
            var found: Set<Place> = []
            for table in tables {
                for column in try database.columns(in: table)
                where column.name.contains("profile") || column.name.contains("user_id") {
                    found.insert(Place(table: table, column: column.name))
                }
                for key in try database.foreignKeys(on: table)
                where key.destinationTable == "profiles" {
                    found.formUnion(key.originColumns.map { Place(table: table, column: $0) })
                }
            }
            return found
        }
        // Marks whose names do not say that they are of users.
        let marks = [
            Place(table: "devices", column: "proved_for"),
            Place(table: "devices", column: "nameless_became"),
            Place(table: "profile_changes", column: "other"),
        ]
        let listed = ProfileColumns.all.map { Place(table: $0.table, column: $0.column) }
        #expect(listed.sorted() == found.union(marks).sorted())
    }

    @Test("each of them is in the export of what is stored of a user")
    func exported() {
        let others = [
            "dispatches": "messages", "user_list_members": "lists",
        ]
        let exported = Set(UserRows.parts.map(\.name))
        for column in ProfileColumns.all where column.handling != .note {
            #expect(exported.contains(others[column.table] ?? column.table), "\(column.table)")
        }
    }
}
