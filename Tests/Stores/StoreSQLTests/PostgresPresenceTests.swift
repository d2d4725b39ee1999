import Foundation
import Model
import Ports
import PostgresTesting
import StoreConformance
import Synchronization
import Testing

@testable import Relational
@testable import StoreSQL

@Suite("Servers of one PostgreSQL database", .enabled(if: TemporaryPostgres.isInstalled))
struct PostgresPresenceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withDatabase(_ body: (String) async throws -> Void) async throws {
        let address = try TemporaryPostgres.shared().makeDatabase()
        try await body(address)
        try TemporaryPostgres.shared().dropDatabase(address)
    }

    private func place(
        _ address: String,
        _ name: String,
        roles: Set<ServerRole> = .all,
        now: @escaping @Sendable () -> Date = { PostgresPresenceTests.now }
    ) async throws -> ServerPresence {
        try await ServerPresence.take(
            address,
            as: WorkingServer(
                id: UUID(),
                name: name,
                host: "tea",
                process: 1,
                version: "0.2.0",
                roles: roles,
                startedAt: Self.now,
                seenAt: Self.now,
                clockOffset: 0,
                report: ServerReport()
            ),
            now: now,
            pause: {},
            onWaiting: { _ in }
        )
    }

    /// Lets the time since a server's last sign of life pass.
    private func age(_ presence: ServerPresence, by seconds: Int, _ store: SQLStore) async throws {
        let id = presence.server.id.uuidString
        try await store.write { database in
            try database.execute(
                sql: "UPDATE servers SET seen_at = seen_at - ? WHERE id = ?",
                arguments: [seconds * 1_000, id]
            )
        }
    }

    @Test("each reads of all others what they say of themselves, by the database's clock")
    func listing() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let first = try await place(address, "one")
            let second = try await place(address, "two")
            var report = ServerReport(leads: true, isReady: true)
            report.users = 7
            report.followed = ChangeCursor(change: 1, event: 2, interaction: 3)
            let seen = try await first.beat(report, address: "127.0.0.1:8080")
            let (offset, servers) = try #require(seen)
            #expect(first.server.isClockOff)
            #expect(try await store.servers().map(\.id) == servers.map(\.id))
            #expect(servers.map(\.name) == ["one", "two"])
            #expect(servers.map(\.address) == ["127.0.0.1:8080", nil])
            #expect(servers.first?.report == report)
            #expect(servers.first?.clockOffset == offset)
            // The given clock is steered, the database's is not.
            let wall = Self.now.timeIntervalSince(try #require(servers.first?.seenAt))
            #expect(abs(offset - wall) < 0.01)
            #expect(servers.first?.isClockOff == true)
            try await age(second, by: 60, store)
            let silent = try #require(try await store.servers().last)
            #expect(silent.name == "two" && silent.silence >= 60 && silent.isSilent)
            await second.leave()
            #expect(try await store.servers().map(\.name) == ["one"])
            await first.leave()
            try await store.close()
        }
    }

    @Test(
        "one that is silent for too long is struck off, and learns of it with its next sign of life"
    )
    func silence() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let (quiet, lively) = (try await place(address, "quiet"), try await place(address, "l"))
            // However long the test takes, the other one is not silent for an hour.
            try await age(quiet, by: 3_601, store)
            let gone = try await store.removeServers(
                silentFor: 3_600,
                or: { _ in false },
                now: Self.now
            )
            #expect(gone.servers.map(\.name) == ["quiet"])
            #expect(try await quiet.beat(ServerReport(), address: nil) == nil)
            #expect(try await lively.beat(ServerReport(), address: nil) != nil)
            let ended = try await store.removeServers(
                silentFor: 3_600,
                or: { _ in true },
                now: Self.now
            )
            #expect(ended.servers.map(\.name) == ["l"])
            for presence in [quiet, lively] { await presence.leave() }
            try await store.close()
        }
    }

    @Test(
        "one that is silent is struck off while this server writes, and its claims go back after that",
        .timeLimit(.minutes(20))
    )
    func busy() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let (quiet, lively) = (try await place(address, "quiet"), try await place(address, "l"))
            try await age(quiet, by: 3_601, store)
            try await store.write { database in
                try database.execute(
                    sql: "INSERT INTO closed_lanes VALUES (?, 1, 'provider', 0, 0)",
                    arguments: [quiet.server.id.uuidString]
                )
            }
            let (begun, end) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
            async let writing: Void = store.write { database in
                begun.continuation.finish()
                // PostgreSQL ends a writer that does nothing for ten seconds.
                while end.wait(timeout: .now() + 0.2) == .timedOut {
                    _ = try Int64.fetchOne(database, sql: "SELECT 1")
                }
            }
            for await _ in begun.stream {}
            async let gone = store.removeServers(
                silentFor: 3_600,
                or: { _ in false },
                now: Self.now
            )
            // Nothing but the sign of life of another server tells of it meanwhile.
            var names = ["l", "quiet"]
            while names.count > 1 {
                let seen = try await lively.beat(ServerReport(), address: nil)
                names = try #require(seen).servers.map(\.name)
            }
            #expect(names == ["l"])
            end.signal()
            try await writing
            #expect(try await gone.servers.map(\.name) == ["quiet"])
            let left = try await store.read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM closed_lanes")
            }
            #expect(left == 0)
            for presence in [quiet, lively] { await presence.leave() }
            try await store.close()
        }
    }

    @Test("as long as one works, nobody has the database to themselves, and the other way round")
    func exclusion() async throws {
        try await withDatabase { address in
            let presence = try await place(address, "one")
            let location = DatabaseLocation.postgres(address)
            let error = await #expect(throws: StoreError.self) {
                _ = try await ClaimedDatabase(location, now: Self.now)
            }
            #expect(error?.code == .taken)
            await presence.leave()
            var command: ClaimedDatabase?
            // PostgreSQL sees a moment later that the connection is closed.
            while command == nil {
                command = try? await ClaimedDatabase(location, now: Self.now)
            }
            #expect(try await PresenceLock.take(address) == nil)
            try await command?.close()
        }
    }

    @Test(
        "what one has not read of changes is kept for it, and everything while one begins; one that only sends reads none"
    )
    func followed() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let presence = try await place(address, "one")
            let sender = try await place(address, "sender", roles: [.delivery])
            func least() async throws -> ChangeCursor? {
                try await store.read { database in
                    try SQLStore.followed(
                        before: ChangeCursor(change: 5, event: 9, interaction: 5),
                        database
                    )
                }
            }
            #expect(try await least() == nil)
            var report = ServerReport()
            report.followed = ChangeCursor(change: 7, event: 2, interaction: 6)
            _ = try await presence.beat(report, address: nil)
            #expect(try await least() == ChangeCursor(change: 5, event: 2, interaction: 5))
            await presence.leave()
            await sender.leave()
            try await store.close()
        }
    }

    @Test("a clock differs by what is certain: a machine may stand still between two readings")
    func standstill() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            for (before, after, seen) in [
                (-7_200.0, -3_600.0, -3_600.0), (3_600, 7_200, 3_600), (-3_600, 3_600, 0),
                (0, 0, 0),
            ] {
                let readings = Readings([before, after, before, after])
                let presence = try await place(address, "one", now: readings.next)
                let first = presence.server.clockOffset
                let (second, _) = try #require(await presence.beat(ServerReport(), address: nil))
                for offset in [first, second] { #expect(abs(offset - seen) < 1_200, "\(offset)") }
                await presence.leave()
            }
            try await store.close()
        }
    }

    @Test("a server forgets who an external id belongs to only when another one changed it")
    func identities() async throws {
        try await withDatabase { address in
            let (one, two) = (try SQLStore(postgres: address), try SQLStore(postgres: address))
            let conformance = StoreConformance(one)
            let workspace = try await conformance.fixture().workspace
            func version() async throws -> Int64? {
                try await one.write { try $0.identityVersion() }
            }
            let before = try await version()
            let event = { (user: String) in
                IngestItem(
                    recordID: UUID(),
                    user: .external(user),
                    time: conformance.now,
                    content: .event(name: "viewed", properties: [:])
                )
            }
            _ = try await StoreConformance(two).ingest([event("ada")], in: workspace)
            #expect(try await version() == before)
            _ = try await conformance.ingest([event("ada")], in: workspace)
            let ada = try #require(try await one.profile(.external("ada"), in: workspace))
            _ = try await two.deleteUsers(
                [ada.id],
                in: workspace,
                noting: nil,
                now: conformance.now
            )
            #expect(try await version() != before)
            _ = try await conformance.ingest([event("ada")], in: workspace)
            let next = try #require(try await one.profile(.external("ada"), in: workspace))
            #expect(next.id != ada.id)
            #expect(try await one.events(of: next.id, limit: 10).count == 1)
            for store in [one, two] { try await store.close() }
        }
    }

    @Test("what was read of a history that a failover has ended is read anew")
    func timeline() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let workspace = try await StoreConformance(store).fixture().workspace
            let view = try await store.audienceView()
            var position = view.position
            #expect(position.timeline > 0)
            let event = IngestItem(
                recordID: UUID(),
                user: .external("ada"),
                time: Self.now,
                content: .event(name: "viewed", properties: [:])
            )
            _ = try await StoreConformance(store).ingest([event], in: workspace)
            let next = try #require(try await store.audienceDelta(after: position))
            #expect(next.position.timeline == position.timeline)
            position.timeline += 1
            await #expect(throws: LostChangesError.self) {
                _ = try await store.audienceDelta(after: position)
            }
            // Whoever begins is of no history yet.
            let all = try #require(try await store.audienceDelta(after: ChangeCursor()))
            #expect(all.position.timeline == next.position.timeline)
            try await store.close()
        }
    }

    @Test("servers tell each other of changes, once, and not themselves")
    func sharedChanges() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let (one, two) = (UUID(), UUID())
            let begin = try await store.sharedChanges(after: nil, besidesThoseOf: two)
            let told: Set<SharedChange> = [
                .send(SendID(1), WorkspaceID(2)), .send(SendID(3), nil), .ingested(WorkspaceID(2)),
            ]
            try await store.share(told, from: one, now: Self.now)
            let heard = try await store.sharedChanges(after: begin.last, besidesThoseOf: two)
            #expect(heard.changes == told)
            let own = try await store.sharedChanges(after: begin.last, besidesThoseOf: one)
            #expect(own.changes.isEmpty && own.last == heard.last)
            let later = try await store.sharedChanges(after: heard.last, besidesThoseOf: two)
            #expect(later.changes.isEmpty && later.last == heard.last)
            try await store.forgetSharedChanges(before: Self.now.addingTimeInterval(1))
            // The numbers go on.
            try await store.share([.ingested(WorkspaceID(2))], from: one, now: Self.now)
            let last = try await store.sharedChanges(after: heard.last, besidesThoseOf: two)
            #expect(last.changes == [.ingested(WorkspaceID(2))])
            try await store.close()
        }
    }
}

/// A clock that is ahead of the system's by the given seconds, a number for each reading.
private final class Readings: Sendable {
    private let differences: Mutex<[TimeInterval]>

    init(_ differences: [TimeInterval]) { self.differences = Mutex(differences) }

    @Sendable
    func next() -> Date { Date() + differences.withLock { $0.isEmpty ? 0 : $0.removeFirst() } }
}
