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
    "What one process at a time has of a PostgreSQL database",
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
            let first = try await PostgresClaim.take(.leadership, of: address, for: holder(1)) {
                _ in
            }
            try await first.announce(address: "127.0.0.1:8080")
            let seen = Mutex<[DatabaseClaim.Holder?]>([])
            let second = try await PostgresClaim.take(
                .leadership,
                of: address,
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

    @Test("one that leads and stands still is ended by the next one, a writer by the database")
    func standingStill() async throws {
        try await withDatabase { address in
            let store = try SQLStore(postgres: address)
            let first = try await PostgresClaim.take(.leadership, of: address, for: holder(1)) {
                _ in
            }
            // Nobody ends it from outside: it has said nothing for longer than it may.
            let second = try await PostgresClaim.take(
                .leadership,
                of: address,
                silence: 0,
                for: holder(2),
                onWaiting: { _ in }
            )
            #expect(try await second.isHeld())
            #expect(try await !first.isHeld())
            let limit = try await store.write { database in
                try String.fetchOne(database, sql: "SHOW idle_in_transaction_session_timeout")
            }
            #expect(limit == "10s")
            first.release()
            second.release()
            try await store.close()
        }
    }

    @Test(
        "what a server wrote as the leading one is refused once another one leads, and nothing else"
    )
    func fencing() async throws {
        try await withDatabase { address in
            let old = try SQLStore(postgres: address)
            let first = try await PostgresClaim.take(.leadership, of: address, for: holder(1)) {
                _ in
            }
            func lead(_ claim: PostgresClaim, _ store: SQLStore, _ name: String) async throws {
                try await ClaimTurn.$epoch.withValue(claim.epoch) {
                    _ = try await store.createWorkspace(
                        name: name,
                        timeZone: "UTC",
                        now: Self.now
                    )
                }
            }
            try await lead(first, old, "Tea")
            try await cutClaims(old)
            let second = try await PostgresClaim.take(.leadership, of: address, for: holder(2)) {
                _ in
            }
            let new = try SQLStore(postgres: address)
            await #expect(throws: CancellationError.self) { try await lead(first, old, "Lost") }
            #expect(try await first.isHeld() == false)
            // What every server may do it goes on with.
            #expect(old.trouble == nil)
            _ = try await old.createWorkspace(name: "Milk", timeZone: "UTC", now: Self.now)
            try await lead(second, new, "Salt")
            #expect(Set(try await new.workspaces().map(\.name)) == ["Tea", "Milk", "Salt"])
            for store in [old, new] { try await store.close() }
            second.release()
        }
    }

    /// Cuts the connections of claims, and no others.
    private func cutClaims(_ store: SQLStore) async throws {
        try await store.write { database in
            _ = try Bool.fetchAll(
                database,
                sql: """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name LIKE '%claim%'
                    """
            )
        }
    }

    @Test(
        "a command that lost its claim of the whole database writes nothing, whatever it still believes"
    )
    func commandFencing() async throws {
        try await withDatabase { address in
            let old = try SQLStore(postgres: address)
            let first = try await PostgresClaim.take(.database, of: address, for: holder(1)) { _ in
            }
            first.fence(old)
            _ = try await old.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            let own = try SQLStore(postgres: address)
            try await cutClaims(own)
            let second = try await PostgresClaim.take(.database, of: address, for: holder(2)) { _ in
            }
            let error = await #expect(throws: StoreError.self) {
                _ = try await old.createWorkspace(name: "Lost", timeZone: "UTC", now: Self.now)
            }
            #expect(error?.code == .unavailable)
            #expect(old.trouble?.isLasting == true)
            #expect(try await own.workspaces().map(\.name) == ["Tea"])
            for store in [old, own] { try await store.close() }
            second.release()
        }
    }

    @Test(
        "the schema of an earlier version is left alone while a server works with it, and changed by the next one"
    )
    func schemaStep() async throws {
        try await withDatabase { address in
            let place = StorePlace(postgres: address)
            let leading = try await PostgresClaim.take(.leadership, of: address, for: holder(1)) {
                _ in
            }
            let working = try #require(try await PresenceLock.take(address))
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
            leading.release()
            working.release()
            // PostgreSQL sees a moment later that the connection is closed.
            let next = try await PostgresClaim.take(.database, of: address, for: holder(2)) { _ in }
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
                            AND (classid::bigint << 32) + objid::bigint = \(ClaimLock.Subject.database.key);
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
            let claim = try await PostgresClaim.take(.leadership, of: address, for: holder(1)) {
                _ in
            }
            claim.fence(store)
            try await cutClaims(store)
            #expect(try await claim.isHeld())
            _ = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: Self.now)
            claim.release()
            try await store.close()
        }
    }
}
