import Model
import Synchronization

/// Notifies open pages of changes in this process.
///
/// The notifications are hints: a slow listener loses old ones and reads the store, which is
/// authoritative.
package final class ChangeFeed: Sendable {
    package enum Change: Sendable, Hashable {
        /// A send was created or has progressed, or one of its pushes was received or opened.
        case send(SendID, WorkspaceID?)
        /// Data was ingested.
        case ingested(WorkspaceID)
    }

    /// Maximum number of hints buffered for a slow listener.
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

    /// The changes from now on, until the listener cancels.
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
