import Analytics
import Foundation
import Logging
import Model
import Ports
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@testable import Delivery

@Suite("Outcomes are recorded")
struct OutcomeRecorderTests {
    /// Counts what goes wrong.
    private final class ErrorCount: LogHandler {
        private let count = Mutex(0)
        /// Called with each number of errors.
        let onError: @Sendable (Int) -> Void
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .error }
            set {}
        }

        init(_ onError: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.onError = onError
        }

        var value: Int { count.withLock { $0 } }

        subscript(metadataKey _: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            let value = count.withLock { count in
                count += 1
                return count
            }
            onError(value)
        }
    }

    /// Runs over a store that is closed, so that each step fails.
    private func run(_ results: ResultQueue, _ errors: ErrorCount) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-recorder-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        try await store.close()
        var recorder = OutcomeRecorder(
            store: store,
            results: results,
            window: InFlightWindow(maxCount: 16, maxBytes: 100, maxPerLane: 10),
            breakers: CircuitBreakers(jitter: { 1 }),
            feed: ChangeFeed(),
            wake: WakeSignal(),
            owner: "worker",
            now: { Date(timeIntervalSince1970: 1_790_000_000) },
            metrics: DeliveryMetrics(),
            logger: Logger(label: "test") { _ in errors }
        )
        recorder.failurePause = .zero
        await recorder.run()
    }

    private func add(to results: ResultQueue) {
        results.add(
            ResultQueue.Entry(
                result: DispatchUpdate(
                    send: SendID(1),
                    device: DeviceID(1),
                    change: .accepted(providerID: nil)
                )
            )
        )
    }

    @Test("at the end each step is tried five times more", .timeLimit(.minutes(20)))
    func lastTries() async throws {
        let results = ResultQueue()
        add(to: results)
        results.finish()
        let errors = ErrorCount()
        try await run(results, errors)
        // They are written down, and then the send is finished.
        #expect(errors.value == 2 * 5)
    }

    @Test("before the end a step is tried for as long as it fails", .timeLimit(.minutes(20)))
    func tries() async throws {
        let results = ResultQueue()
        add(to: results)
        let errors = ErrorCount { if $0 == 20 { results.finish() } }
        try await run(results, errors)
        #expect(errors.value == 20 + 2 * 5)
    }
}
