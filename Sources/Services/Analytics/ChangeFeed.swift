import Model
import Synchronization

/// Tells the pages that are open what has just changed in this process.
///
/// A hint, not a record: a listener that falls behind loses old hints and reads the store, which
/// has the truth.
package final class ChangeFeed: Sendable {
    package enum Change: Sendable, Hashable {
        /// A send was made, moved on, or one of its pushes was received or opened.
        case send(SendID, WorkspaceID?)
        /// Data came in.
        case ingested(WorkspaceID)
    }

    /// How many hints wait for a slow listener.
    private static let bufferLimit = 64

    private struct State {
        var nextID = 0
        var listeners: [Int: AsyncStream<Change>.Continuation] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func publish(_ change: Change) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(change) }
    }

    /// Changes from now on, until the listener stops listening.
    package func changes() -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Change.self,
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
}
