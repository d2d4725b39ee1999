import Analytics
import Foundation
import Logging
import Model
import Monitoring
import NoroshiWire
import Ports
import ServiceLifecycle
import Synchronization
import Tracing

/// The reason why a request was rejected; nothing of it is stored.
package enum IngestionError: Error, Sendable, Hashable {
    /// The writer cannot keep up; try again after the given time.
    case overloaded(retryAfter: Duration)
    case shuttingDown
}

/// Writes data to the store: many requests per transaction. A request is answered only after its
/// commit.
package final class IngestionService: Service {
    package struct Limits: Sendable {
        /// Maximum number of queued items; further requests are rejected.
        package var waitingItems = 200_000
        /// Maximum size of the queued requests, in bytes.
        package var waitingBytes = 128 << 20
        /// Maximum number of items per transaction; the next one starts after its commit.
        package var itemsPerCommit = 10_000

        package init() {}
    }

    private struct Waiting {
        var request: IngestRequest
        var answer: CheckedContinuation<[IngestOutcome], any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var items = 0
        var bytes = 0
        var isOpen = true
    }

    private let store: any IngestStore
    private let feed: ChangeFeed
    private let limits: Limits
    private let now: @Sendable () -> Date
    private let metrics: IngestMetrics
    private let spans: Spans
    private let logger: Logger
    private let state = Mutex(State())
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    package init(
        store: any IngestStore,
        feed: ChangeFeed,
        limits: Limits = Limits(),
        now: @escaping @Sendable () -> Date,
        metrics: IngestMetrics = IngestMetrics(),
        spans: Spans = Spans(),
        logger: Logger
    ) {
        self.store = store
        self.feed = feed
        self.limits = limits
        self.now = now
        self.metrics = metrics
        self.spans = spans
        self.logger = logger
        (arrivals, arrival) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
    }

    /// Stores a request and returns once it is durable.
    ///
    /// - Throws: `IngestionError`, or the store's error if the request cannot be stored.
    package func submit(_ request: IngestRequest) async throws -> [IngestOutcome] {
        guard !request.items.isEmpty else { return [] }
        return try await spans.measure(
            "ingest",
            .internal,
            [
                "ingest.items": .int64(Int64(request.items.count)),
                "ingest.bytes": .int64(Int64(request.bytes)),
            ]
        ) { _ in try await commit(request) }
    }

    /// Waits in line for the next transaction, and for its end.
    private func commit(_ request: IngestRequest) async throws -> [IngestOutcome] {
        try await withCheckedThrowingContinuation { continuation in
            let refusal: IngestionError? = state.withLock { state in
                guard state.isOpen else { return .shuttingDown }
                guard state.items + request.items.count <= limits.waitingItems,
                    state.bytes + request.bytes <= limits.waitingBytes
                else {
                    return .overloaded(retryAfter: .seconds(1))
                }
                state.waiting.append(Waiting(request: request, answer: continuation))
                state.items += request.items.count
                state.bytes += request.bytes
                return nil
            }
            if let refusal {
                if refusal != .shuttingDown { metrics.refused() }
                continuation.resume(throwing: refusal)
            } else {
                arrival.yield()
            }
        }
    }

    /// Number of queued items and bytes.
    package var waiting: (items: Int, bytes: Int) { state.withLock { ($0.items, $0.bytes) } }

    /// Commits arriving requests until shutdown, including those that have arrived by then.
    package func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in arrivals {
                while let batch = takeBatch() { await commit(batch) }
            }
            while let batch = takeBatch() { await commit(batch) }
        } onGracefulShutdown: {
            self.state.withLock { $0.isOpen = false }
            self.arrival.finish()
        }
        let left = state.withLock { state in
            state.isOpen = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in left { waiting.answer.resume(throwing: IngestionError.shuttingDown) }
    }

    private func takeBatch() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            var count = 0
            var items = 0
            while count < state.waiting.count {
                let next = state.waiting[count].request.items.count
                if count > 0, items + next > limits.itemsPerCommit { break }
                items += next
                count += 1
            }
            let batch = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.items -= items
            state.bytes -= batch.reduce(0) { $0 + $1.request.bytes }
            return batch
        }
    }

    private func commit(_ batch: [Waiting]) async {
        do {
            let requests = batch.map(\.request)
            let start = metrics.uptime()
            let outcomes = try await store.ingest(requests, now: now())
            metrics.committed(requests, outcomes, since: start)
            for (waiting, outcome) in zip(batch, outcomes) {
                waiting.answer.resume(returning: outcome)
                publish(waiting.request)
            }
        } catch let error as StoreError where error.code == .unavailable {
            // Nothing can be stored now, so retrying each request alone would only take time.
            logger.warning(
                "requests are not stored, because the store cannot be written",
                metadata: ["ingest.error": "\(error)", "ingest.requests": "\(batch.count)"]
            )
            metrics.failed(batch.count)
            for waiting in batch { waiting.answer.resume(throwing: error) }
        } catch  where batch.count > 1 {
            // A request that the store rejects must not fail the others.
            logger.warning(
                "a commit failed; its requests are tried one by one",
                metadata: ["ingest.error": "\(error)", "ingest.requests": "\(batch.count)"]
            )
            for waiting in batch { await commit([waiting]) }
        } catch {
            logger.error("a request cannot be stored", metadata: ["ingest.error": "\(error)"])
            metrics.failed(batch.count)
            for waiting in batch { waiting.answer.resume(throwing: error) }
        }
    }

    private func publish(_ request: IngestRequest) {
        feed.publish(.ingested(request.workspace))
        guard case .device = request.source else { return }
        var sends: Set<Int64> = []
        for case .pushInteraction(let interaction) in request.items.map(\.content) {
            if let number = interaction.pushNumber { sends.insert(number) }
        }
        for number in sends { feed.publish(.send(SendID(number), request.workspace)) }
    }
}
