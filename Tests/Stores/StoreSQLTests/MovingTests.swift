import Foundation
import Model
import Ports
import PostgresTesting
import Reasons
import Relational
import StoreConformance
import StoreTesting
import Synchronization
import Testing

@testable import StoreSQL

@Suite(
    "Moving between SQLite and PostgreSQL",
    .enabled(
        if: TemporaryPostgres.isInstalled,
        "PostgreSQL's programs and libpq are not installed on this machine"
    )
)
struct MovingTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// What a new store can be made of.
    private final class Places: Sendable {
        private let folder: URL
        let databases = Mutex<[String]>([])

        init(folder: URL) { self.folder = folder }

        func path() -> String { folder.appending(path: "\(UUID().uuidString).sqlite").path }

        func file() throws -> SQLStore { try SQLStore(path: path(), synchronous: .normal) }

        func address() throws -> String {
            let address = try TemporaryPostgres.shared().makeDatabase()
            databases.withLock { $0.append(address) }
            return address
        }

        func server() throws -> SQLStore { try SQLStore(postgres: address(), readers: 2) }
    }

    private func withPlaces(_ body: (Places) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-moving-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let places = Places(folder: folder)
        try await body(places)
        for address in places.databases.withLock({ $0 }) {
            try TemporaryPostgres.shared().dropDatabase(address)
        }
    }

    /// What belongs to one database and its servers, and to no other.
    private static let ownTables: Set<String> = [
        "grdb_migrations", "server_claim", "servers", "shared_changes",
    ]

    /// All rows of all tables that are moved, as texts in one order.
    private func contents(_ store: SQLStore) async throws -> [String: [String]] {
        try await store.read { database in
            var contents: [String: [String]] = [:]
            for table in try database.tableLayouts()
            where !Self.ownTables.contains(table.name) {
                let names = table.columns.map(\.name).sorted()
                let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
                contents[table.name] = try Row.fetchAll(
                    database,
                    sql: "SELECT \(list) FROM \"\(table.name)\""
                ).map { row in
                    zip(names, row.databaseValues).map { name, value in
                        if case .bytes(let bytes) = value { return "\(name)=\([UInt8](bytes))" }
                        return "\(name)=\(value.isNull ? "NULL" : "\(value)")"
                    }.joined(separator: " ")
                }.sorted()
            }
            return contents
        }
    }

    private func expectEqual(_ left: SQLStore, _ right: SQLStore) async throws {
        let (left, right) = (try await contents(left), try await contents(right))
        #expect(left.keys.sorted() == right.keys.sorted())
        for (table, rows) in left { #expect(right[table] == rows, "\(table)") }
    }

    @Test("takes every row of every table along, and back, and all answers stay what they were")
    func thereAndBack() async throws {
        try await withPlaces { places in
            let first = try places.file()
            let twin = try await Twin(first)
            let answers = try await twin.answers()
            // Tables in which no step of a test leaves a row get some that mean nothing, in a second store.
            let filled = try places.file()
            try await DatabaseMove(from: first, to: filled).run()
            try await FilledTables.fill(filled)
            try await FilledTables.addOddValues(filled)
            #expect(try await FilledTables.empty(filled) == [])

            for source in [first, filled] {
                let server = try places.server()
                let seen = Mutex<[DatabaseMove.Progress]>([])
                let counts = try await DatabaseMove(from: source, to: server).run { progress in
                    seen.withLock { $0.append(progress) }
                }
                let next = try places.server()
                try await DatabaseMove(from: server, to: next).run()
                let back = try places.file()
                let counted = try await DatabaseMove(from: next, to: back).run()
                #expect(counts == counted)
                #expect(seen.withLock(\.last)?.total == counts.values.reduce(0, +))
                try await expectEqual(source, server)
                try await expectEqual(source, back)
                if source === first {
                    for store in [server, back] {
                        let moved = try await twin.moved(to: store).answers()
                        for (question, answer) in answers {
                            #expect(moved[question] == answer, "\(question)")
                        }
                    }
                }
            }
        }
    }

    @Test("leaves triggers and indexes as they were, in their order")
    func schemas() async throws {
        try await withPlaces { places in
            let (file, new) = (try places.file(), try places.file())
            let server = try places.server()
            // Triggers come last now; among themselves all are in their order.
            let parts = """
                SELECT type || ' ' || name || ' ' || sql FROM sqlite_master
                WHERE sql IS NOT NULL ORDER BY type = 'trigger', rowid
                """
            let indexes = """
                SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
                UNION ALL SELECT tgname || ' ' || CAST(tgenabled AS text) FROM pg_trigger ORDER BY 1
                """
            _ = try await Twin(file)
            let before = try await server.read { try String.fetchAll($0, sql: indexes) }
            try await DatabaseMove(from: file, to: server).run()
            #expect(try await server.read { try String.fetchAll($0, sql: indexes) } == before)

            let made = try await new.read { try String.fetchAll($0, sql: parts) }
            try await DatabaseMove(from: server, to: new).run()
            #expect(try await new.read { try String.fetchAll($0, sql: parts) } == made)
        }
    }

    @Test("gives no number twice: what was deleted before the move keeps its own")
    func numbers() async throws {
        try await withPlaces { places in
            let file = try places.file()
            let conformance = StoreConformance(file)
            let fixture = try await conformance.fixture()
            @Sendable func news(_ store: SQLStore) async throws -> NewsID {
                try await store.createNews(
                    NewsContent(title: "Open", text: "From Monday on"),
                    author: "Ann",
                    in: fixture.workspace,
                    now: Self.now
                ).id
            }
            @Sendable func user(_ name: String, _ store: SQLStore) async throws -> ProfileID {
                _ = try await StoreConformance(store).register(name, token: name, in: fixture)
                return try #require(
                    try await store.profile(.external(name), in: fixture.workspace)
                ).id
            }
            var given: [NewsID] = []
            var users: [ProfileID] = []
            for _ in 0..<3 { given.append(try await news(file)) }
            for name in ["ada", "bob"] { users.append(try await user(name, file)) }
            // As if all of them had been deleted.
            try await file.write { try $0.execute(sql: "DELETE FROM news") }
            _ = try await file.deleteUsers(
                [users[1]],
                in: fixture.workspace,
                noting: nil,
                now: Self.now
            )

            let server = try places.server()
            try await DatabaseMove(from: file, to: server).run()
            given.append(try await news(server))
            users.append(try await user("cleo", server))
            try await server.write { try $0.execute(sql: "DELETE FROM news") }

            let back = try places.file()
            try await DatabaseMove(from: server, to: back).run()
            given.append(try await news(back))
            users.append(try await user("dora", back))
            #expect(Set(given).count == given.count)
            #expect(Set(users).count == users.count)
            #expect(given == given.sorted())
        }
    }

    @Test("needs no more rights than those of the role that owns the database")
    func owner() async throws {
        try await withPlaces { places in
            let source = try places.file()
            _ = try await Twin(source)
            let address = try TemporaryPostgres.shared().makeDatabase(ownedBy: "noroshi")
            places.databases.withLock { $0.append(address) }
            let target = try SQLStore(postgres: address)
            try await DatabaseMove(from: source, to: target).run()
            try await expectEqual(source, target)
        }
    }

    @Test("a send that waits goes out once")
    func waitingSend() async throws {
        try await withPlaces { places in
            let file = try places.file()
            let fixture = try await StoreConformance(file).fixture()
            for name in ["ada", "bob", "cleo"] {
                _ = try await StoreConformance(file).register(name, token: name, in: fixture)
            }
            _ = try await StoreConformance(file).plannedSend(to: .everyone, in: fixture)
            let server = try places.server()
            try await DatabaseMove(from: file, to: server).run()
            #expect(try await StoreConformance(server).claim(10).count == 3)
            #expect(try await StoreConformance(server).claim(10).isEmpty)
            let back = try places.file()
            try await DatabaseMove(from: server, to: back).run()
            #expect(try await StoreConformance(back).claim(10).isEmpty)
        }
    }

    @Test("refuses a database that holds something, and says where", arguments: [true, false])
    func refusal(isServer: Bool) async throws {
        try await withPlaces { places in
            let source = try places.file()
            _ = try await StoreConformance(source).fixture()
            let target = isServer ? try places.server() : try places.file()
            _ = try await target.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            let before = try await contents(target)
            let error = await #expect(throws: StoreError.self) {
                try await DatabaseMove(from: source, to: target).run()
            }
            #expect(error?.code == .exists)
            let text = error?.description ?? ""
            #expect(text.contains("in workspaces: a move needs a new one"), "\(text)")
            #expect(try await contents(target) == before)
        }
    }

    @Test(
        "leaves nothing behind when it breaks off, and can be run again",
        arguments: [true, false]
    )
    func cut(isServer: Bool) async throws {
        struct Cut: Error {}
        try await withPlaces { places in
            let source = try places.file()
            _ = try await Twin(source)
            let target = isServer ? try places.server() : try places.file()
            let empty = try await contents(target)
            await #expect(throws: Cut.self) {
                try await DatabaseMove(from: source, to: target).run { progress in
                    // The last table of all refers to others.
                    if progress.rows > progress.total - 10 { throw Cut() }
                }
            }
            #expect(try await contents(target) == empty)
            try await DatabaseMove(from: source, to: target).run()
            try await expectEqual(source, target)
        }
    }

    @Test("leaves nothing behind when PostgreSQL ends its connection, and can be run again")
    func lostConnection() async throws {
        try await withPlaces { places in
            let source = try places.file()
            _ = try await Twin(source)
            let address = try places.address()
            let target = try SQLStore(postgres: address, readers: 2)
            let empty = try await contents(target)
            let isCut = Mutex(false)
            await #expect(throws: (any Error).self) {
                try await DatabaseMove(from: source, to: target).run { progress in
                    guard progress.rows > progress.total / 2, !isCut.withLock({ $0 }) else {
                        return
                    }
                    isCut.withLock { $0 = true }
                    try TemporaryPostgres.shared().endConnections(address)
                }
            }
            #expect(isCut.withLock { $0 })
            let again = try SQLStore(postgres: address, readers: 2)
            #expect(try await contents(again) == empty)
            try await DatabaseMove(from: source, to: again).run()
            try await expectEqual(source, again)
        }
    }

    @Test(
        "a database that a server has is not moved, and it is said who has it",
        arguments: [true, false]
    )
    func claims(isServer: Bool) async throws {
        try await withPlaces { places in
            let location: DatabaseLocation =
                isServer ? .postgres(try places.address()) : .file(places.path())
            let first = try await ClaimedDatabase(location, now: Self.now)
            _ = try await first.store.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            let error = await #expect(throws: StoreError.self) {
                _ = try await ClaimedDatabase(location, now: Self.now)
            }
            #expect(error?.code == .taken)
            let text = error?.description ?? ""
            #expect(text.contains("is in use: another command has it: process "), "\(text)")
            try await first.close()
            let second = try await ClaimedDatabase(location, now: Self.now)
            #expect(try await second.store.workspaces().map(\.name) == ["Tea"])
            try await second.close()
        }
    }

    @Test("a value that its column is not for is moved where nothing is lost, and else named")
    func looseValues() async throws {
        try await withPlaces { places in
            let source = try places.file()
            try await FilledTables.addOddValues(source)
            try await source.write { database in
                try database.execute(sql: "UPDATE set_aside_rows SET reason = x'C3A9' WHERE id = 1")
                try database.execute(
                    sql: "INSERT INTO store_probe (id, filler) VALUES (1, 'tea')"
                )
            }
            let server = try places.server()
            try await DatabaseMove(from: source, to: server).run()
            let reason = try await server.read {
                try String.fetchOne($0, sql: "SELECT reason FROM set_aside_rows WHERE id = 1")
            }
            #expect(reason == "é")
            let filler = try await server.read {
                try Data.fetchOne($0, sql: "SELECT filler FROM store_probe")
            }
            #expect(filler == Data("tea".utf8))

            for (value, words) in [
                ("CAST(x'61FF' AS TEXT)", "2 bytes that are no text in UTF-8"),
                ("x'FF'", "1 bytes"),
            ] {
                try await source.write { database in
                    try database.execute(
                        sql: "UPDATE set_aside_rows SET reason = \(value) WHERE id = 2"
                    )
                }
                let other = try places.server()
                let error = await #expect(throws: StoreError.self) {
                    try await DatabaseMove(from: source, to: other).run()
                }
                let text = error?.description ?? ""
                #expect(
                    text.hasPrefix("set_aside_rows.reason is \(words) in the row with rowid 2 of "),
                    "\(text)"
                )
                #expect(try await contents(other)["set_aside_rows"] == [])
            }
        }
    }
}
