import Model
import Ports
import Synchronization

/// A queue of outcomes: many pushes add, and one recorder takes all that are available.
final class ResultQueue: Sendable {
    struct Entry: Sendable {
        var result: DispatchUpdate
        /// The lane of the push, if it was sent, and its size in bytes.
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

    /// Number of outcomes that wait.
    var count: Int { state.withLock(\.entries.count) }

    var isFinished: Bool { state.withLock(\.isFinished) }

    /// Marks the queue as finished: no more outcomes will be added.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for outcomes; `nil` once the queue is finished and empty. For a single consumer.
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
