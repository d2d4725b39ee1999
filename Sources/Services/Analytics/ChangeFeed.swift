import Ports
import Synchronization

/// Notifies open pages of changes: of those in this process, and of those that other servers tell
/// (`ChangeExchange`).
///
/// The notifications are hints: a slow listener loses old ones and reads the store, which is
/// authoritative.
package final class ChangeFeed: Sendable {
    /// Maximum number of hints buffered for a slow listener.
    private static let bufferLimit = 64
    /// Maximum number of hints that wait to be told to other servers.
    private static let gatheredLimit = 10_000

    private struct State {
        var nextID = 0
        var listeners: [Int: AsyncStream<SharedChange>.Continuation] = [:]
        /// What the other servers have to be told; `nil` where there are none.
        var gathered: Set<SharedChange>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Notifies of a change in this process.
    package func publish(_ change: SharedChange) {
        let listeners = state.withLock { state in
            if let gathered = state.gathered, gathered.count < Self.gatheredLimit {
                state.gathered?.insert(change)
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(change) }
    }

    /// Notifies of changes that another server has told, and which nobody has to be told again.
    package func publish(told changes: Set<SharedChange>) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for change in changes {
            for listener in listeners { listener.yield(change) }
        }
    }

    /// The changes from now on, until the listener cancels.
    package func changes() -> AsyncStream<SharedChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SharedChange.self,
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        let id = state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[id] = nil }
        }
        return stream
    }

    // MARK: Other servers

    /// Begins to gather what other servers have to be told.
    package func beginGathering() {
        state.withLock { $0.gathered = $0.gathered ?? [] }
    }

    /// The changes in this process since the last call.
    package func takeGathered() -> Set<SharedChange> {
        state.withLock { state in
            guard let gathered = state.gathered else { return [] }
            state.gathered = []
            return gathered
        }
    }

    /// Gathers changes again that could not be told.
    package func giveBack(_ changes: Set<SharedChange>) {
        state.withLock { $0.gathered?.formUnion(changes) }
    }
}
