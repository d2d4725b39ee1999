import Foundation
import Model
import Ports
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

/// On PostgreSQL a statement is sent when an answer is needed; nothing may tell that from a trip for each.
@Suite("Statements that wait for one trip")
struct WaitingStatementsTests {
    private struct Refused: Error {}

    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("are seen by what is read after them", arguments: StoreKind.available)
    func order(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let found = try await store.write { database in
                try add("one", database)
                try add("two", database)
                let before = try names(database)
                try database.execute(sql: "DELETE FROM retired_ids WHERE kind = 'one'")
                return [before, try names(database)]
            }
            #expect(found == [["one", "two"], ["two"]])
            #expect(try await store.read { try self.names($0) } == ["two"])
        }
    }

    @Test("are counted", arguments: StoreKind.available)
    func counts(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let counts = try await store.write { database in
                let before = try database.totalChangesCount
                try add("one", database)
                try add("two", database)
                let last = try database.changesCount
                try database.execute(sql: "UPDATE retired_ids SET id = 8 WHERE id = 7")
                let updated = try database.changesCount
                try database.cachedStatement(
                    sql: "INSERT OR IGNORE INTO retired_ids (kind, id) VALUES (?, 7) RETURNING kind"
                ).forEachRow(["two", "three", "three"].map { [$0] }) { _ in }
                return [last, updated, try database.totalChangesCount - before]
            }
            #expect(counts == [1, 2, 5])
        }
    }

    @Test("are more than one trip takes, and keep their order", arguments: StoreKind.available)
    func many(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let count = 1_203
            let found = try await store.write { database in
                for number in 0..<count { try add("kind \(number)", database) }
                var found: [Int] = []
                try database.cachedStatement(sql: "SELECT id FROM retired_ids WHERE kind = ?")
                    .forEachFirstRow((0...count).map { ["kind \($0)"] }) { position, row in
                        if row == nil { found.append(position) }
                    }
                return found
            }
            #expect(found == [count])
        }
    }

    @Test("insert for many lists what is not there yet, once", arguments: StoreKind.available)
    func insertions(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let inserted = try await store.write { database in
                try add("one", database)
                var inserted: [String] = []
                try database.cachedStatement(
                    sql: "INSERT OR IGNORE INTO retired_ids (kind, id) VALUES (?, ?) RETURNING kind"
                ).forEachRow([["one", 7], ["two", 7], ["two", 7], ["three", 8]]) {
                    inserted.append($0[0])
                }
                return inserted
            }
            #expect(inserted.sorted() == ["three", "two"])
            #expect(try await store.read { try self.names($0) } == ["one", "three", "two"])
        }
    }

    @Test(
        "change for each list the rows it finds, and tell which found one",
        arguments: StoreKind.available
    )
    func changes(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let found = try await store.write { database in
                for name in ["one", "two", "three"] { try add(name, database) }
                var found: [[Int?]] = []
                try database.cachedStatement(
                    sql: "UPDATE retired_ids SET id = id + ? WHERE kind = ? RETURNING id"
                ).forEachFirstRow([[1, "three"], [10, "nobody"], [0, "one"]]) { position, row in
                    found.append([position, row?[0]])
                }
                return found
            }
            #expect(found == [[0, 8], [1, nil], [2, 7]])
        }
    }

    @Test("fail at the commit, which undoes all of them", arguments: StoreKind.available)
    func failure(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            await #expect(throws: (any Error).self) {
                try await store.write { database in
                    try add("one", database)
                    try add("one", database)
                    try add("two", database)
                }
            }
            #expect(try await store.read { try self.names($0) } == [])
            // The connection is good for the next transaction.
            try await store.write { try self.add("three", $0) }
            #expect(try await store.read { try self.names($0) } == ["three"])
        }
    }

    @Test("name what is taken", arguments: StoreKind.available)
    func taken(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.write { database in
                    try unlessTaken("Tea", database) {
                        try add("one", database)
                        try add("one", database)
                    }
                }
            }
            #expect(error?.code == .exists)
        }
    }

    @Test(
        "are forgotten with a transaction or a savepoint that is taken back",
        arguments: StoreKind.available
    )
    func takenBack(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await store.write { database in
                try add("kept", database)
                try database.inSavepoint {
                    try add("taken back", database)
                    return .rollback
                }
                try database.inSavepoint {
                    try add("kept too", database)
                    return .commit
                }
            }
            await #expect(throws: Refused.self) {
                try await store.write { database in
                    try add("refused", database)
                    throw Refused()
                }
            }
            #expect(try await store.read { try self.names($0) } == ["kept", "kept too"])
        }
    }

    // MARK: Ingestion

    @Test(
        "a batch stores a record once, one that was refused when it comes again, and a new user once",
        arguments: StoreKind.available
    )
    func batch(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let workspace = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: now)
            let (seen, twice, refused) = (UUID(), UUID(), UUID())
            let first = try await store.ingest(
                [request(workspace, [item(seen, "ada")])],
                now: now
            )
            #expect(first == [[.stored(except: [])]])
            let outcomes = try await store.ingest(
                [
                    request(
                        workspace,
                        [
                            item(seen, "ada"), item(twice, "grace"), item(twice, "grace"),
                            item(refused, "nobody", existingOnly: true),
                        ]
                    ),
                    request(
                        workspace,
                        [item(refused, "grace"), item(refused, "grace"), item(UUID(), "ada")]
                    ),
                ],
                now: now
            )
            let noSuchUser = IngestOutcome.rejected(FieldProblem("user", .noSuchUser))
            let stored = IngestOutcome.stored(except: [])
            #expect(
                outcomes == [
                    [.duplicate, stored, .duplicate, noSuchUser], [stored, .duplicate, stored],
                ]
            )
            let figures = try await store.read { database in
                [
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM events"),
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM profiles"),
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM seen_records"),
                ]
            }
            #expect(figures == [4, 2, 4])
        }
    }

    private func item(_ id: UUID, _ user: String, existingOnly: Bool = false) -> IngestItem {
        IngestItem(
            recordID: id,
            user: .external(user),
            updatesExistingOnly: existingOnly,
            time: now,
            content: .event(name: "browsed", properties: [:])
        )
    }

    private func request(_ workspace: WorkspaceID, _ items: [IngestItem]) -> IngestRequest {
        IngestRequest(workspace: workspace, source: .api, items: items)
    }

    // MARK: A table of names

    private func add(_ name: String, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO retired_ids (kind, id) VALUES (?, 7)",
            arguments: [name]
        )
    }

    private func names(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT kind FROM retired_ids WHERE id IN (7, 8) ORDER BY kind"
        )
    }

    private func withStore(
        _ kind: StoreKind,
        _ body: (SQLStore) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-waiting-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Slots.postgres.run { try await body(SQLStore.testing(at: path, on: kind)) }
    }
}
