import Foundation
import Model
import Ports
import PostgresTesting
import Reasons
import StoreTesting
import Synchronization
import Testing

@testable import Relational
@testable import StoreSQL

@Suite(
    "One server at a time works on a PostgreSQL database",
    .enabled(if: TemporaryPostgres.isInstalled)
)
struct PostgresClaimTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withDatabase(_ body: (String) async throws -> Void) async throws {
        let address = try TemporaryPostgres.shared().makeDatabase()
        try await body(address)
        try TemporaryPostgres.shared().dropDatabase(address)
    }

    private func holder(_ process: Int32) -> DatabaseClaim.Holder {
        .init(purpose: .server, process: process, host: "tea", since: Self.now)
    }

    @Test("a second server reads who has the database, and gets it when the first ends")
    func turns() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let first = try await PostgresClaim.take(address, for: holder(1)) { _ in }
            try await first.announce(address: "127.0.0.1:8080")
            let seen = Mutex<[DatabaseClaim.Holder?]>([])
            let second = try await PostgresClaim.take(
                address,
                for: holder(2),
                pause: { first.release() },
                onWaiting: { holder in seen.withLock { $0.append(holder) } }
            )
            let holders = seen.withLock { $0 }
            #expect(holders.first??.process == 1)
            #expect(holders.first??.address == "127.0.0.1:8080")
            #expect(try await second.isHeld())
            second.release()
            try await store.close()
        }
    }

    @Test(
        "the server that works sees those that wait, and since when it works itself",
        arguments: ["", "?application_name=tea"]
    )
    func standbys(addition: String) async throws {
        try await withDatabase { database in
            let address = database + addition
            let store = try SQLStore(postgres: address)
            let first = try await PostgresClaim.take(address, for: holder(1)) { _ in }
            #expect(try await store.standbyServers() == [])
            let waiting = StandbyServer(
                host: "an unknown host",
                process: 2,
                port: 8_080,
                version: "0.2.0",
                since: Self.now
            )
            let seen = Mutex<[[StandbyServer]]>([])
            let later = Self.now.addingTimeInterval(3_600)
            let hasWaited = Mutex(false)
            let second = try await PostgresClaim.take(
                address,
                for: .init(
                    purpose: .server,
                    process: 2,
                    host: "salt",
                    since: hasWaited.withLock(\.self) ? later : Self.now
                ),
                standby: waiting,
                pause: {
                    let servers = try await store.standbyServers()
                    seen.withLock { $0.append(servers) }
                    hasWaited.withLock { $0 = true }
                    first.release()
                },
                onWaiting: { _ in }
            )
            let rounds = seen.withLock(\.self)
            let servers = try #require(rounds.first)
            #expect(servers.map(\.host) == ["an unknown host"])
            #expect(servers.map(\.process) == [2])
            #expect(servers.map(\.port) == [8_080])
            #expect(servers.map(\.version) == ["0.2.0"])
            #expect(second.holder.since == later)
            // Its connection for waiting is closed, which PostgreSQL sees a moment later.
            while try await !store.standbyServers().isEmpty { await Task.yield() }
            second.release()
            try await store.close()
        }
    }

    @Test("a server that lost its turn writes nothing, whatever it still believes")
    func fencing() async throws {
        try await withDatabase { address in
            let old = try SQLStore(postgres: address)
            let first = try await PostgresClaim.take(address, for: holder(1)) { _ in }
            first.fence(old)
            _ = try await old.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            // The connection of its claim is cut, its others are not.
            let own = try SQLStore(postgres: address)
            try await own.write { database in
                _ = try Bool.fetchAll(
                    database,
                    sql: """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name LIKE '%claim%'
                        """
                )
            }
            let second = try await PostgresClaim.take(address, for: holder(2)) { _ in }
            let new = try SQLStore(postgres: address)
            second.fence(new)
            let error = await #expect(throws: StoreError.self) {
                _ = try await old.createWorkspace(name: "Lost", timeZone: "UTC", now: Self.now)
            }
            #expect(error?.code == .unavailable)
            #expect(old.trouble?.isLasting == true)
            #expect(try await first.isHeld() == false)
            _ = try await new.createWorkspace(name: "Salt", timeZone: "UTC", now: Self.now)
            #expect(Set(try await new.workspaces().map(\.name)) == ["Tea", "Salt"])
            for store in [old, own, new] { try await store.close() }
            second.release()
        }
    }

    @Test(
        "the schema of an earlier version is left alone while a server works with it, and changed by the next one"
    )
    func schemaStep() async throws {
        try await withDatabase { address in
            let place = StorePlace(postgres: address)
            let working = try await PostgresClaim.take(address, for: holder(1)) { _ in }
            let old = try SQLStore(postgres: address, isClaimed: true)
            let steps =
                PostgresMigrations.later + [
                    ("a later step", "CREATE TABLE kettles (id bigint PRIMARY KEY);")
                ]
            func open(isClaimed: Bool) throws -> Relational.DatabasePool {
                let pool = try Relational.DatabasePool(postgres: address, readers: 1)
                do {
                    try PostgresMigrations.apply(
                        to: pool,
                        at: place,
                        isClaimed: isClaimed,
                        steps: steps
                    )
                    return pool
                } catch {
                    try pool.close()
                    throw error
                }
            }
            let error = #expect(throws: StoreError.self) { _ = try open(isClaimed: false) }
            #expect(error?.code == .taken)
            #expect(error?.reason.description.contains("process 1 on tea") == true)
            _ = try await old.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            working.release()
            let next = try await PostgresClaim.take(address, for: holder(2)) { _ in }
            let new = try open(isClaimed: true)
            let kettles = try await new.read { database in
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM kettles")
            }
            #expect(kettles == 0)
            // The version before does not know it.
            let newer = #expect(throws: StoreError.self) { _ = try SQLStore(postgres: address) }
            #expect(newer?.code == .unreadable)
            next.release()
            try new.close()
            try await old.close()
        }
    }

    @Test("of two that open a database at once, one makes or changes its schema, and both can work")
    func schemaStepAtOnce() async throws {
        try await withDatabase { address in
            let steps = PostgresMigrations.later
            try await openTwice(address, steps)
            try await openTwice(
                address,
                steps + [("a later step", "CREATE TABLE kettles AS SELECT 1 AS count;")]
            )
            let pool = try Relational.DatabasePool(postgres: address, readers: 1)
            let kettles = try await pool.read { database in
                try Int.fetchAll(database, sql: "SELECT count FROM kettles")
            }
            #expect(kettles == [1])
            try pool.close()
        }
    }

    private func openTwice(_ address: String, _ steps: [(name: String, sql: String)]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let pool = try Relational.DatabasePool(postgres: address, readers: 1)
                    defer { try? pool.close() }
                    try PostgresMigrations.apply(
                        to: pool,
                        at: StorePlace(postgres: address),
                        isClaimed: false,
                        steps: steps
                    )
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("nobody works on a database whose schema is being changed")
    func schemaStepKeepsServersAway() async throws {
        try await withDatabase { address in
            try await SQLStore(postgres: address).close()
            let pool = try Relational.DatabasePool(postgres: address, readers: 1)
            try PostgresMigrations.apply(
                to: pool,
                at: StorePlace(postgres: address),
                isClaimed: false,
                steps: PostgresMigrations.later + [
                    (
                        "a later step",
                        """
                        CREATE TABLE locks_meanwhile AS SELECT COUNT(*) AS count FROM pg_locks
                        WHERE locktype = 'advisory' AND granted
                            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                            AND (classid::bigint << 32) + objid::bigint = \(ClaimLock.key);
                        """
                    )
                ]
            )
            let locks = try await pool.read { database in
                try Int.fetchOne(database, sql: "SELECT count FROM locks_meanwhile")
            }
            #expect(locks == 1)
            try pool.close()
        }
    }

    @Test("a claim whose connection was cut is kept where nobody else has taken the database")
    func kept() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let claim = try await PostgresClaim.take(address, for: holder(1)) { _ in }
            claim.fence(store)
            try await store.write { database in
                _ = try Bool.fetchAll(
                    database,
                    sql: """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name LIKE '%claim%'
                        """
                )
            }
            #expect(try await claim.isHeld())
            _ = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            claim.release()
            try await store.close()
        }
    }
}
