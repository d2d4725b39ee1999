import Model
import Ports
import Synchronization

/// Outcomes on their way to the ledger: many pushes add, one recorder takes all there are.
final class ResultQueue: Sendable {
    struct Entry: Sendable {
        var result: DispatchResult
        /// The lane in which the push went out, if it did, and its size.
        var lane: DeliveryLane?
        var bytes = 0
    }

    private struct State {
        var entries: [Entry] = []
        var isFinished = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func add(_ entry: Entry) {
        let waiter = state.withLock { state in
            state.entries.append(entry)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    var isFinished: Bool { state.withLock(\.isFinished) }

    /// Nothing more will come.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for outcomes; `nil` when all have been taken and none will come. For one taker.
    func next() async -> [Entry]? {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if !state.entries.isEmpty || state.isFinished { return true }
                state.waiter = continuation
                return false
            }
            if goesOn { continuation.resume() }
        }
        return state.withLock { state in
            defer { state.entries = [] }
            return state.entries.isEmpty ? nil : state.entries
        }
    }
}
