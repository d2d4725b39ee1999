import Foundation
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Statements")
struct StatementTests {
    private static func withStore(
        _ kind: StoreKind,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-statements-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test").path, on: kind)
        try await store.write { database in
            try database.execute(
                sql: "CREATE TABLE cups (id integer PRIMARY KEY, tea text, color bytea)"
            )
            try body(database)
        }
    }

    private static let insert = "INSERT INTO cups (id, tea, color) VALUES (?, ?, ?)"

    @Test("keep empty texts and bytes apart from nothing", arguments: StoreKind.available)
    func empty(kind: StoreKind) async throws {
        try await Self.withStore(kind) { database in
            let insert = try database.cachedStatement(sql: Self.insert)
            let values: [(String?, Data?)] = [
                ("", Data()), (nil, nil), ("日本茶", Data([0, 255])), ("a\u{301}", Data([0])),
            ]
            for (number, value) in values.enumerated() {
                try insert.execute(arguments: [number, value.0, value.1])
            }
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM cups ORDER BY id")
            #expect(rows.map { $0["tea"] as String? } == values.map(\.0))
            #expect(rows.map { $0["color"] as Data? } == values.map(\.1))
            #expect(rows.first?.columnNames == ["id", "tea", "color"])
            #expect(rows.first?.hasColumn("tea") == true && rows.first?.hasColumn("Tea") == false)
        }
    }

    @Test("take values by name and by position, and each of them", arguments: StoreKind.available)
    func arguments(kind: StoreKind) async throws {
        try await Self.withStore(kind) { database in
            let insert = try database.cachedStatement(
                sql: "INSERT INTO cups (id, tea, color) VALUES (:id, :tea, :color)"
            )
            try insert.execute(arguments: ["color": Data([1]), "tea": "Sencha", "id": 5])
            let row = try #require(
                try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT tea, id FROM cups WHERE id = ?"),
                    arguments: [5]
                )
            )
            #expect(row[0] as String == "Sencha" && row["id"] as Int == 5)
        }
    }

    @Test("one that has failed, or was left in its middle, can be used again")
    func again() async throws {
        try await Self.withStore(.sqlite) { database in
            let insert = try database.cachedStatement(sql: Self.insert)
            for number in 0..<4 { try insert.execute(arguments: [number, "Tea \(number)", nil]) }
            #expect(throws: (any Error).self) { try insert.execute(arguments: [2, "Twice", nil]) }
            #expect(throws: (any Error).self) { try insert.execute(arguments: [9, "Too few"]) }
            #expect(throws: (any Error).self) { try insert.execute(arguments: [9, "a", nil, "b"]) }
            try insert.execute(arguments: [4, "Tea 4", nil])

            let select = try database.cachedStatement(
                sql: "SELECT id FROM cups WHERE id >= ? ORDER BY id"
            )
            for first in [0, 3, 1] {
                let rows = try Row.fetchCursor(select, arguments: [first])
                #expect(try rows.next()?[0] as Int? == first)
            }
            #expect(try Int.fetchAll(select, arguments: [2]) == [2, 3, 4])
            #expect(try Int.fetchOne(select, arguments: [7]) == nil)
            let added = try Int.fetchOne(
                database.cachedStatement(
                    sql: "INSERT INTO cups (id, tea, color) VALUES (?, ?, ?) RETURNING id"
                ),
                arguments: [8, nil, nil]
            )
            let changed = try database.changesCount
            #expect(added == 8 && changed == 1)
            #expect(try Int.fetchAll(select, arguments: [4]) == [4, 8])
        }
    }
}
