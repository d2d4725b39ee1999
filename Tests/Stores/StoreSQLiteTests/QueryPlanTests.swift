import Foundation
import GRDB
import Model
import Ports
import StoreConformance
import Synchronization
import Testing

@testable import StoreSQLite

/// What delivery asks of the database again and again must cost the same however much is done
/// already; SQLite chooses how it answers, so its choice is checked.
@Suite("Queries of delivery")
struct QueryPlanTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "noroshi-\(UUID().uuidString).sqlite").path

    @Test("neither sends that are over nor rows that are done are read to find what is left")
    func boundedWork() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLiteStore(path: path, synchronous: .normal)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        for number in 0..<4 {
            try await conformance.register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)

        let statements = Mutex<Set<String>>([])
        @Sendable func listen(_ database: Database) {
            database.trace { event in
                statements.withLock { _ = $0.insert(event.expandedDescription) }
            }
        }
        try await store.pool.writeWithoutTransaction(listen)
        // One reader answers what is asked one after the other.
        try await store.pool.read(listen)

        let now = conformance.now
        for _ in 0..<2 {
            let rows = try await conformance.claim(2)
            #expect(rows.count == 2)
            try await store.record(
                rows.map {
                    DispatchResult(
                        send: $0.send,
                        device: $0.device.id,
                        change: .accepted(providerID: nil)
                    )
                },
                now: now
            )
            _ = try await store.nextDispatchDue()
            _ = try await store.beginPlanning(now: now)
            _ = try await store.finishSends(now: now)
        }
        #expect(try await store.send(send.id)?.state == .finished)
        _ = try await conformance.plannedSend(to: .everyone, in: fixture)

        let heard = statements.withLock { $0 }
            .filter { sql in ["SELECT", "UPDATE"].contains { sql.hasPrefix($0) } }
        // Those of the claim, of the record and of the end are among them.
        for words in ["lease_id =", "provider_id =", "state = 'finished'", "min(due)"] {
            #expect(heard.contains { $0.contains(words) }, "nothing says \(words)")
        }
        for sql in heard {
            for step in try await steps(of: sql, store) {
                let reads =
                    step.hasPrefix("SCAN sends") || step.hasPrefix("SCAN dispatches")
                    || step == "SEARCH dispatches USING PRIMARY KEY (send_id=?)"
                #expect(!reads, "\(step): \(sql)")
            }
        }
    }

    private func steps(of sql: String, _ store: SQLiteStore) async throws -> [String] {
        try await store.pool.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] }
        }
    }
}
