import Foundation
import Model
import Ports
import PostgresTesting
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

/// The whole conformance behind a pooler is a run of its own: `NOROSHI_TEST_STORE=postgres NOROSHI_TEST_POOLER=true`.
@Suite(
    "A pooler that gives each transaction another connection",
    .enabled(if: TemporaryPooler.isInstalled, "pgbouncer is not installed on this machine")
)
struct PoolerTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("lets stores write and read side by side through fewer connections than they have")
    func sideBySide() async throws {
        try await withStores(3) { stores in
            let workspace = try await stores[0].createWorkspace(
                name: "Tea",
                timeZone: "UTC",
                now: now
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in stores.enumerated() {
                    for round in 0..<10 {
                        group.addTask {
                            let request = request(workspace, number, round)
                            let outcomes = try await store.ingest([request], now: now)
                            #expect(outcomes == [.init(repeating: .stored(except: []), count: 20)])
                            _ = try await store.workspaces()
                        }
                    }
                }
                try await group.waitForAll()
            }
            // All wrote about the same ten people.
            for store in stores {
                let figures = try await store.read { database in
                    [
                        try Int.fetchOne(database, sql: "SELECT count(*) FROM events"),
                        try Int.fetchOne(database, sql: "SELECT count(*) FROM profiles"),
                    ]
                }
                #expect(figures == [600, 10])
            }
        }
    }

    @Test("leaves a connection's settings to the transaction, whichever connection it has")
    func settings() async throws {
        try await withStores(2) { stores in
            for store in stores {
                for _ in 0..<6 {
                    let written = try await store.write { database in
                        [
                            try String.fetchOne(database, sql: "SELECT current_setting('jit')"),
                            try String.fetchOne(
                                database,
                                sql: "SELECT current_setting('idle_in_transaction_session_timeout')"
                            ),
                        ]
                    }
                    #expect(written == ["off", "10s"])
                    let read = try await store.read { database in
                        [
                            try String.fetchOne(database, sql: "SELECT current_setting('jit')"),
                            try String.fetchOne(
                                database,
                                sql: "SELECT current_setting('idle_in_transaction_session_timeout')"
                            ),
                        ]
                    }
                    #expect(read == ["off", "0"])
                }
            }
        }
    }

    private func request(_ workspace: WorkspaceID, _ store: Int, _ round: Int) -> IngestRequest {
        IngestRequest(
            workspace: workspace,
            source: .api,
            items: (0..<20).map { number in
                IngestItem(
                    recordID: UUID(),
                    user: .external("user-\((store + round + number) % 10)"),
                    time: now,
                    content: .event(name: "browsed", properties: [:])
                )
            }
        )
    }

    private func withStores(
        _ count: Int,
        _ body: ([SQLStore]) async throws -> Void
    ) async throws {
        try await Slots.postgres.run {
            let address = try TemporaryPostgres.shared().makeDatabase()
            let pooler = try TemporaryPooler.shared().address(of: address)
            let stores = try (0..<count).map { _ in
                try SQLStore(postgres: address, pooler: pooler, readers: 3)
            }
            try await body(stores)
            for store in stores { try await store.close() }
            try TemporaryPostgres.shared().dropDatabase(address)
        }
    }
}
