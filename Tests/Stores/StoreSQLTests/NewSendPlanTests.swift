import Foundation
import Model
import Ports
import PostgresTesting
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// PostgreSQL chooses by its statistics, which know nothing of a send that began after they were made.
@Suite("A new send on PostgreSQL", .enabled(if: TemporaryPostgres.isInstalled))
struct NewSendPlanTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let waiting = 3_000
    private static let claimed = 20

    /// A store whose statistics are of three sends that are over, and a send that waits beside them.
    private func withNewSend(
        _ body: @escaping @Sendable (SQLStore, SendID) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Slots.postgres.run {
            let store = try SQLStore.testing(at: path, on: .postgres)
            let workspace = try await store.createWorkspace(
                name: "Tea",
                timeZone: "UTC",
                now: Self.now
            )
            for _ in 0..<3 {
                let over = try await send(in: workspace, store)
                try await fill(over, .accepted, store)
            }
            try await store.pool.gatherStatistics(of: ["dispatches", "sends", "dispatch_leases"])
            let new = try await send(in: workspace, store)
            try await fill(new, .queued, store)
            try await body(store, new)
            try await store.close()
        }
    }

    private func send(in workspace: WorkspaceID, _ store: SQLStore) async throws -> SendID {
        try await store.createSend(
            SendContent(message: PushMessage(body: "Tea"), audience: .everyone),
            in: workspace,
            scheduledAt: Self.now,
            now: Self.now
        ).id
    }

    private func fill(
        _ send: SendID,
        _ state: DispatchState,
        _ store: SQLStore
    ) async throws {
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO dispatches (send_id, device_id, profile_id, state, due_at, updated_at)
                    SELECT ?, number, number, ?, ?, ? FROM generate_series(1, ?) AS number
                    """,
                arguments: [
                    send.rawValue, state.rawValue, Self.now.milliseconds, Self.now.milliseconds,
                    Self.waiting,
                ]
            )
            try database.execute(
                sql: "UPDATE sends SET state = ? WHERE id = ?",
                arguments: [state == .queued ? "sending" : "finished", send.rawValue]
            )
        }
    }

    /// How many rows of the ledger something reads.
    private static func rowsRead(
        _ database: Database,
        _ body: () throws -> Void
    ) throws -> Int {
        let counted = """
            SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables
            WHERE relname = 'dispatches'
            """
        let before = try Int.fetchOne(database, sql: counted) ?? 0
        try body()
        return try (Int.fetchOne(database, sql: counted) ?? 0) - before
    }

    private static let request = ClaimRequest(
        limit: claimed,
        owner: "worker",
        leaseEnd: now.addingTimeInterval(60),
        now: now
    )

    @Test("is stopped by a few looks at each row that is skipped")
    func stop() async throws {
        try await withNewSend { store, send in
            let reads = try await store.write { database in
                try Self.rowsRead(database) {
                    _ = try SQLStore.skipFirst(of: send, now: Self.now, database)
                }
            }
            #expect(reads <= Self.waiting * 10, "\(reads) rows")
        }
    }

    @Test("costs what is taken of it, however much waits: claimed, recorded and given back")
    func claims() async throws {
        try await withNewSend { store, send in
            let reads = try await store.write { database in
                var taken: [DispatchClaimer.Taken] = []
                let claim = try Self.rowsRead(database) {
                    var claimer = DispatchClaimer(Self.request, database)
                    taken = try claimer.claim(ClaimableSends(Self.request, database))
                }
                #expect(taken.count == Self.claimed)
                let done = taken.prefix(Self.claimed / 2).map {
                    DispatchUpdate(
                        send: send,
                        device: DeviceID($0.device),
                        change: .accepted(providerID: nil)
                    )
                }
                let record = try Self.rowsRead(database) {
                    var recorder = try DispatchRecorder(done, now: Self.now, database)
                    try recorder.record(done)
                }
                let release = try Self.rowsRead(database) {
                    _ = try DispatchLeases(database).release(where: "TRUE", [], now: Self.now)
                }
                return ["claim": claim, "record": record, "release": release]
            }
            for (verb, rows) in reads {
                #expect(rows <= Self.claimed * 10, "\(verb) reads \(rows) rows")
            }
        }
    }

    @Test("is expected to have rows, also where an earlier version has counted those of the others")
    func update() async throws {
        try await withNewSend { store, _ in
            let known = """
                SELECT count(*) FROM pg_stats WHERE tablename = 'dispatches' AND attname = 'send_id'
                """
            try await store.write { database in
                try database.execute(
                    sql: "ALTER TABLE dispatches ALTER COLUMN send_id SET STATISTICS -1"
                )
            }
            try await store.pool.gatherStatistics(of: ["dispatches"])
            #expect(try await store.read { try Int.fetchOne($0, sql: known) } == 1)
            try await store.write { database in
                for statement in EstimateSchema.postgres.split(separator: ";") {
                    try database.execute(sql: String(statement))
                }
            }
            try await store.pool.gatherStatistics(of: ["dispatches"])
            #expect(try await store.read { try Int.fetchOne($0, sql: known) } == 0)
        }
    }
}
