import Foundation
import Model
import Ports
import PostgresTesting
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Pages of an export")
struct ExportPageTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withStore(
        on kind: StoreKind = .chosen,
        _ body: @escaping @Sendable (SQLStore) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Slots.postgres.run {
            let store = try SQLStore.testing(at: path, on: kind)
            try await body(store)
            try await store.close()
        }
    }

    private func workspace(_ name: String, _ store: SQLStore) async throws -> WorkspaceID {
        try await store.createWorkspace(name: name, timeZone: "UTC", now: Self.now)
    }

    /// Gives a workspace users with an event each, one after the other.
    private func track(_ users: [String], in workspace: WorkspaceID, _ store: SQLStore) async throws
    {
        let items = users.map {
            IngestItem(
                recordID: nil,
                user: .external($0),
                time: Self.now,
                content: .event(name: "viewed", properties: [:])
            )
        }
        _ = try await store.ingest(
            [IngestRequest(workspace: workspace, source: .api, items: items)],
            now: Self.now
        )
    }

    /// The pages of something, up to the first empty one.
    private func pages<Row>(
        _ next: (Int64) async throws -> [(id: Int64, row: Row)]
    ) async throws -> [[Row]] {
        var (pages, last): ([[Row]], Int64) = ([], 0)
        while true {
            let page = try await next(last)
            guard let end = page.last?.id else { return pages }
            #expect(page.map(\.id) == page.map(\.id).sorted() && (page.first?.id ?? 0) > last)
            pages.append(page.map(\.row))
            last = end
        }
    }

    private static let limit = 4

    /// What the pages have of users and of events.
    private func export(
        _ workspace: WorkspaceID,
        _ store: SQLStore
    ) async throws -> (users: [[String?]], events: [[String?]]) {
        let users = try await pages { id in
            try await store.exportUsers(in: workspace, after: id, limit: Self.limit)
                .map { ($0.id, $0.user.profile.externalID) }
        }
        let events = try await pages { id in
            try await store.exportEvents(in: workspace, after: id, limit: Self.limit)
                .map { ($0.id, $0.event.externalID) }
        }
        return (users, events)
    }

    @Test("are full until the end, whosever rows lie between those of the workspace")
    func others() async throws {
        try await withStore { store in
            let (own, other) = (
                try await workspace("own", store), try await workspace("other", store)
            )
            var names: [String] = []
            for number in 0..<11 {
                names.append("user-\(number)")
                try await track([names[number]], in: own, store)
                let others = (0..<number * 7).map { "other-\(number)-\($0)" }
                try await track(others, in: other, store)
            }
            let expected = [Array(names[..<4]), Array(names[4..<8]), Array(names[8...])]
            let found = try await export(own, store)
            #expect(found.users == expected)
            #expect(found.events == expected)
            let none = try await export(try await workspace("empty", store), store)
            #expect(none.users.isEmpty && none.events.isEmpty)
        }
    }

    @Test("are full where rows cannot be read, also with more of those than a page has in a row")
    func unreadable() async throws {
        try await withStore { store in
            let own = try await workspace("own", store)
            let names = (0..<60).map { "user-\($0)" }
            try await track(names, in: own, store)
            // The first, some in the middle, and the last ones.
            let damaged = [0..<1, 7..<40, 58..<60].flatMap { names[$0] }
            let list = damaged.map { "'\($0)'" }.joined(separator: ",")
            let users = "(SELECT id FROM profiles WHERE external_id IN (\(list)))"
            let isDamaged = Set(damaged)
            let left = names.filter { !isDamaged.contains($0) }
            let expected = stride(from: 0, to: left.count, by: Self.limit).map {
                Array(left[$0..<min($0 + Self.limit, left.count)])
            }
            try await store.write { database in
                try database.execute(
                    sql: "UPDATE events SET properties = '{' WHERE profile_id IN \(users)"
                )
            }
            #expect(try await export(own, store).events == expected)
            #expect(store.unreadableRows().total == damaged.count)
            try await store.write { database in
                try database.execute(sql: "UPDATE profiles SET custom = '{' WHERE id IN \(users)")
            }
            #expect(try await export(own, store).users == expected)
            #expect(store.unreadableRows().total == damaged.count * 2)
        }
    }

    // MARK: What they read

    /// How many rows of some tables something reads.
    private static func rowsRead(
        _ database: Database,
        _ body: () throws -> Void
    ) throws -> Int {
        let counted = """
            SELECT CAST(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS bigint)
            FROM pg_stat_xact_user_tables WHERE relname IN ('events', 'profiles')
            """
        let before = try Int.fetchOne(database, sql: counted) ?? 0
        try body()
        return try (Int.fetchOne(database, sql: counted) ?? 0) - before
    }

    /// Fills a workspace with users, ten events each of as many names.
    private func fill(_ workspace: WorkspaceID, users: Int, _ store: SQLStore) async throws {
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO profiles (workspace_id, public_id, standard, custom, created_at, updated_at)
                    SELECT ?, decode(lpad(to_hex(? + number), 32, '0'), 'hex'),
                        '{}', '{}', 0, 0 FROM generate_series(1, ?) AS number
                    """,
                arguments: [workspace.rawValue, workspace.rawValue * 1_000_000, users]
            )
            try database.execute(
                sql: """
                    INSERT INTO event_names (workspace_id, name)
                    SELECT ?, 'event-' || number FROM generate_series(1, 10) AS number
                    """,
                arguments: [workspace.rawValue]
            )
            try database.execute(
                sql: """
                    INSERT INTO events (name_id, time, profile_id, properties)
                    SELECT event_names.id, ?, profiles.id, '{}' FROM profiles, event_names
                    WHERE profiles.workspace_id = ? AND event_names.workspace_id = ?
                    """,
                arguments: [Self.now.milliseconds, workspace.rawValue, workspace.rawValue]
            )
        }
    }

    @Test(
        "of a workspace that PostgreSQL's statistics do not know cost what is on them",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func costs() async throws {
        try await withStore(on: .postgres) { store in
            for number in 0..<20 {
                try await fill(try await workspace("over-\(number)", store), users: 100, store)
            }
            try await store.pool.gatherStatistics(of: ["profiles", "event_names", "events"])
            let new = try await workspace("new", store)
            try await fill(new, users: 5_000, store)
            let limit = 100
            let unreadable = store.unreadable
            let reads = try await store.read { database in
                // Where the rows of the others end: those are looked at once, for the first page.
                let others = try ["profiles", "events"].map { table in
                    try Int64.fetchOnly(
                        database,
                        sql: "SELECT max(id) - ? FROM \(table)",
                        arguments: [table == "events" ? 50_000 : 5_000]
                    )
                }
                return [
                    "users": try Self.rowsRead(database) {
                        let page = ExportPage(of: new, after: others[0], limit: limit)
                        let found = try page.users(database, unreadable)
                        #expect(found.count == limit)
                    },
                    "events": try Self.rowsRead(database) {
                        let page = ExportPage(of: new, after: others[1], limit: limit)
                        let found = try page.events(database, unreadable)
                        #expect(found.count == limit)
                    },
                ]
            }
            // With each event its user is read.
            for (what, rows) in reads { #expect(rows <= limit * 3, "\(what): \(rows) rows") }
        }
    }
}
