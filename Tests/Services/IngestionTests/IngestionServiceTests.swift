import Analytics
import Foundation
import Ingestion
import Logging
import Model
import NoroshiWire
import Ports
import ServiceLifecycle
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Ingestion")
struct IngestionServiceTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// A store whose commits can be held back and made to fail, around the real one.
    private final class GatedStore: IngestStore {
        let store: any IngestStore
        let commits = Mutex<[Int]>([])
        let poison: String?
        let gate: AsyncStream<Void>?
        private let held = Mutex(false)

        /// Whether a commit has come to the gate.
        var isHeld: Bool { held.withLock { $0 } }

        init(_ store: any IngestStore, poison: String? = nil, gate: AsyncStream<Void>? = nil) {
            self.store = store
            self.poison = poison
            self.gate = gate
        }

        func ingest(
            _ requests: [IngestRequest],
            now: Date
        ) async throws -> [[IngestOutcome]] {
            held.withLock { $0 = true }
            if let gate { for await _ in gate { break } }
            commits.withLock { $0.append(requests.count) }
            if let poison {
                for item in requests.flatMap(\.items) where item.user == .external(poison) {
                    throw StoreError(.unreadable, .variantWithoutID)
                }
            }
            return try await store.ingest(requests, now: now)
        }
    }

    private func withService(
        limits: IngestionService.Limits = .init(),
        poison: String? = nil,
        gate: AsyncStream<Void>? = nil,
        _ body: @Sendable (IngestionService, GatedStore, WorkspaceID) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-ingest-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        let gated = GatedStore(store, poison: poison, gate: gate)
        let service = IngestionService(
            store: gated,
            feed: ChangeFeed(),
            limits: limits,
            now: { [now] in now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let group = ServiceGroup(
            services: [service],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body(service, gated, fixture.workspace)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func request(_ user: String, in workspace: WorkspaceID) -> IngestRequest {
        IngestRequest(
            workspace: workspace,
            source: .api,
            items: [
                IngestItem(
                    recordID: nil,
                    user: .external(user),
                    time: now,
                    content: .event(name: "viewed", properties: [:])
                )
            ]
        )
    }

    @Test("requests that arrive together share a commit, and each gets its own answer")
    func groupCommit() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try await withService(gate: gate) { service, store, workspace in
            try await withThrowingTaskGroup(of: [IngestOutcome].self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await service.submit(request("user-\(number)", in: workspace))
                    }
                }
                opener.finish()
                for try await outcomes in group { #expect(outcomes == [.stored(except: [])]) }
            }
            #expect(store.commits.withLock { $0.reduce(0, +) } == 50)
            #expect(store.commits.withLock { $0.count } < 50)
        }
    }

    @Test("a request the store cannot take fails alone")
    func poisoned() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try await withService(poison: "bad", gate: gate) { service, _, workspace in
            let (bad, good) = await withTaskGroup(
                of: (String, Result<[IngestOutcome], any Error>).self
            ) { group in
                for user in ["bad", "good"] {
                    group.addTask {
                        do {
                            return (
                                user,
                                .success(try await service.submit(request(user, in: workspace)))
                            )
                        } catch {
                            return (user, .failure(error))
                        }
                    }
                }
                opener.finish()
                var results: [String: Result<[IngestOutcome], any Error>] = [:]
                for await (user, result) in group { results[user] = result }
                return (results["bad"], results["good"])
            }
            guard case .success(let outcomes) = good, case .failure(let error) = bad else {
                Issue.record("good: \(String(describing: good)), bad: \(String(describing: bad))")
                return
            }
            #expect(outcomes == [.stored(except: [])])
            #expect(error is StoreError)
        }
    }

    @Test("when the writer is behind, a request is refused and told when to come back")
    func backPressure() async throws {
        var limits = IngestionService.Limits()
        limits.waitingItems = 2
        limits.itemsPerCommit = 1
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try await withService(limits: limits, gate: gate) { service, _, workspace in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            _ = try await service.submit(
                                request("user-\(number)", in: workspace)
                            )
                            return true
                        } catch IngestionError.overloaded(let retryAfter) {
                            #expect(retryAfter > .zero)
                            return false
                        }
                    }
                }
                // Refusals come at once; what waits is stored when the writer goes on.
                var refused = 0
                var stored = 0
                while refused < 17, let isStored = try await group.next() {
                    if isStored { stored += 1 } else { refused += 1 }
                }
                #expect(refused >= 17)
                opener.finish()
                for try await isStored in group where isStored { stored += 1 }
                #expect(stored >= 2)
            }
        }
    }

    @Test(
        "a request that is larger than a commit is stored whole, by itself",
        .timeLimit(.minutes(20))
    )
    func largeRequest() async throws {
        var limits = IngestionService.Limits()
        limits.itemsPerCommit = 2
        try await withService(limits: limits) { service, store, workspace in
            var large = request("ada", in: workspace)
            large.items = (0..<3).map { number in
                IngestItem(
                    recordID: nil,
                    user: .external("user-\(number)"),
                    time: large.items[0].time,
                    content: large.items[0].content
                )
            }
            let outcomes = try await service.submit(large)
            #expect(outcomes.count == 3)
            #expect(store.commits.withLock { $0 } == [1])
        }
    }

    @Test("as many items and bytes wait as the limits say, not one more, and none is left counted")
    func waitingLimits() async throws {
        for isOfBytes in [false, true] {
            var limits = IngestionService.Limits()
            limits.itemsPerCommit = 2
            if isOfBytes { limits.waitingBytes = 40 } else { limits.waitingItems = 4 }
            let (gate, opener) = AsyncStream.makeStream(of: Void.self)
            try await withService(limits: limits, gate: gate) { service, store, workspace in
                @Sendable func sized(_ name: String) -> IngestRequest {
                    var request = request(name, in: workspace)
                    request.bytes = 10
                    return request
                }
                let first = Task { try await service.submit(sized("first")) }
                while !store.isHeld { await Task.yield() }
                #expect(service.waiting.items == 0 && service.waiting.bytes == 0)
                var waiting: [Task<[IngestOutcome], any Error>] = []
                for number in 1...4 {
                    waiting.append(Task { try await service.submit(sized("user-\(number)")) })
                    while service.waiting.items < number { await Task.yield() }
                }
                #expect(service.waiting.items == 4 && service.waiting.bytes == 40)
                await #expect(throws: IngestionError.self) {
                    try await service.submit(sized("late"))
                }
                opener.finish()
                for task in [first] + waiting {
                    let outcomes = try await task.value
                    #expect(outcomes == [.stored(except: [])])
                }
                #expect(service.waiting.items == 0 && service.waiting.bytes == 0)
                // A commit is filled up to its limit.
                #expect(store.commits.withLock { $0 } == [1, 2, 2])
            }
        }
    }
}
