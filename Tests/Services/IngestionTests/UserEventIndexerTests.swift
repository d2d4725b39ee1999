import Foundation
import Ingestion
import Logging
import Model
import Ports
import StoreConformance
import StoreTesting
import Synchronization
import Testing

@testable import StoreSQL

@Suite("The indexer of events by user")
struct UserEventIndexerTests {
    /// A store whose second step fails.
    private final class FailingOnce: UserEventIndexStore {
        private let store: any UserEventIndexStore
        private let steps = Mutex(0)

        init(_ store: any UserEventIndexStore) { self.store = store }

        func indexEvents(_ count: Int) async throws -> Bool {
            let step = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard step != 2 else { throw StoreError(.unavailable, .noMemory) }
            return try await store.indexEvents(count)
        }
    }

    private static let ends = ["", "-wal", "-shm"]

    @Test("catches up with a database that was never indexed; users are found all the while")
    func catchesUp() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        // What stays of a folder for such files is only in the way.
        defer { for end in Self.ends { try? FileManager.default.removeItem(atPath: path + end) } }
        let store = try SQLStore.testing(at: path, on: .chosen)
        let conformance = StoreConformance(store)
        let workspace = try await conformance.fixture().workspace
        // More than are looked through one by one, most of them of one user.
        var counts: [String: Int] = [:]
        for batch in 0..<67 {
            let items = (0..<1_000).map { number in
                let name = number % 5 == 0 ? "guest-\((batch + number) % 40)" : "regular"
                counts[name, default: 0] += 1
                return IngestItem(
                    recordID: nil,
                    user: .external(name),
                    time: conformance.now,
                    content: .event(name: "viewed", properties: [:])
                )
            }
            _ = try await conformance.ingest(items, in: workspace)
        }
        func found(_ name: String) async throws -> Int {
            let user = try #require(try await store.profile(.external(name), in: workspace))
            return try await store.events(of: user.id, limit: 100_000).count
        }
        let names = ["regular", "guest-0", "guest-5"]
        func compare(_ moment: String) async throws {
            for name in names {
                #expect(try await found(name) == counts[name], "\(moment): \(name)")
            }
        }
        try await compare("before")
        let indexer = UserEventIndexer(
            store: FailingOnce(store),
            look: .milliseconds(5),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let last = 67_000 / UserEventIndexer.stepSize
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await indexer.run() }
            while try await blocks(store) < last {
                try await compare("beside")
            }
            group.cancelAll()
        }
        #expect(try await blocks(store) == last)
        try await compare("after")
        #expect(try await DatabaseDoctor(store).examine().faults == [])

        _ = try await store.apply(
            [.merge(.external("regular"), into: .external("guest-0"))],
            in: workspace,
            now: conformance.now
        )
        let merged = (counts["regular"] ?? 0) + (counts["guest-0"] ?? 0)
        #expect(try await found("guest-0") == merged)
        #expect(try await found("guest-5") == counts["guest-5"])
        #expect(try await DatabaseDoctor(store).examine().faults == [])
        try await store.close()
    }

    private func blocks(_ store: SQLStore) async throws -> Int {
        try await store.read {
            try Int.fetchOnly($0, sql: "SELECT count(*) FROM user_event_blocks")
        }
    }
}
