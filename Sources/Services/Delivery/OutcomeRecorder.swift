import Analytics
import Foundation
import Logging
import Model
import Ports

/// Writes the outcomes of all workers to the store, as many as are available per transaction.
struct OutcomeRecorder: Sendable {
    /// Number of outcomes in a transaction from which the next one waits for more.
    private static let busyCount = 50
    private static let busyPause: Duration = .milliseconds(20)
    /// Attempts to record outcomes during shutdown. Pushes that could not be recorded are sent
    /// again at the next start, under the same dispatch id.
    private static let lastTries = 5

    let store: any DeliveryStore
    let results: ResultQueue
    let window: InFlightWindow
    let breakers: CircuitBreakers
    let feed: ChangeFeed
    let wake: WakeSignal
    let owner: String
    let now: @Sendable () -> Date
    let metrics: DeliveryMetrics
    let logger: Logger
    var failurePause: Duration = .seconds(1)

    /// Runs until all outcomes are recorded and no more will arrive.
    func run() async {
        var known = breakers.tripped()
        while let entries = await results.next() {
            await untilDone("recording") {
                let start = metrics.uptime()
                try await store.record(entries.map(\.result), now: now())
                metrics.recorded(since: start)
            }
            // Capacity is released only after recording, so that a crash repeats a limited number
            // of pushes.
            window.ended(entries)
            let tripped = breakers.tripped()
            if tripped != known {
                known = tripped
                await untilDone("saving lanes") {
                    try await store.saveTrippedLanes(tripped, owner: owner)
                }
            }
            await untilDone("finishing sends") { try await finish() }
            for send in Set(entries.map(\.result.send)) { feed.publish(.send(send, nil)) }
            wake.signal()
            if entries.count >= Self.busyCount { await pause(Self.busyPause) }
        }
    }

    /// Outcomes of sent pushes must be recorded: after an error the store is called again.
    private func untilDone(_ name: String, _ step: () async throws -> Void) async {
        var lastTries = 0
        while lastTries < Self.lastTries {
            do {
                return try await step()
            } catch {
                if results.isFinished { lastTries += 1 }
                logger.error(
                    "a step failed and will be repeated",
                    metadata: ["delivery.step": "\(name)", "delivery.error": "\(error)"]
                )
            }
            await pause(failurePause)
        }
    }

    private func pause(_ duration: Duration) async {
        // The recorder is never cancelled; it ends with its queue.
        try? await Task.sleep(for: duration)
    }

    private func finish() async throws {
        for send in try await store.markFinishedSends(now: now()) {
            logger.info("a send is finished", metadata: ["send.id": "\(send)"])
            feed.publish(.send(send, nil))
        }
    }
}
