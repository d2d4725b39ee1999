import Analytics
import Foundation
import Logging
import Model
import Ports

/// Writes the outcomes of all workers into the ledger, as many as there are in one transaction.
struct DeliveryRecorder: Sendable {
    /// With so many outcomes in a transaction, more are waited for before the next one.
    private static let busyCount = 50
    private static let busyPause: Duration = .milliseconds(20)
    private static let failurePause: Duration = .seconds(1)
    /// So often a store that fails is asked once more during a stop; then the next start sends
    /// again what could not be recorded.
    private static let lastTries = 5

    let store: any DeliveryStore
    let results: ResultQueue
    let window: InFlightWindow
    let gates: LaneGates
    let feed: ChangeFeed
    let wake: WakeSignal
    let owner: String
    let now: @Sendable () -> Date
    let logger: Logger

    /// Runs until there is nothing to record and nothing will come.
    func run() async {
        var known = gates.closed()
        while let entries = await results.next() {
            await untilDone("recording") {
                try await store.record(entries.map(\.result), now: now())
            }
            // Only what is recorded makes room: what a crash repeats stays bounded.
            window.ended(entries)
            let closed = gates.closed()
            if closed != known {
                known = closed
                await untilDone("saving lanes") {
                    try await store.saveClosedLanes(closed, owner: owner)
                }
            }
            await untilDone("finishing sends") { try await finish() }
            for send in Set(entries.map(\.result.send)) { feed.publish(.send(send, nil)) }
            wake.signal()
            if entries.count >= Self.busyCount { await pause(Self.busyPause) }
        }
    }

    /// What has been sent must be recorded: a store that fails is asked again.
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
            await pause(Self.failurePause)
        }
    }

    private func pause(_ duration: Duration) async {
        // Nobody cancels the recorder; it ends with its queue.
        try? await Task.sleep(for: duration)
    }

    private func finish() async throws {
        for send in try await store.finishSends(now: now()) {
            logger.info("a send is finished", metadata: ["send.id": "\(send)"])
            feed.publish(.send(send, nil))
        }
    }
}
