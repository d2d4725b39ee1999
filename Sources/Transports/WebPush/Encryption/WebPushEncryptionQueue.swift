import Synchronization

/// Brings together the messages of pushes that are sent at the same time, so that they are
/// encrypted several at once.
///
/// Nothing waits for others to come: the first message puts one task at the end of the line of what
/// is ready to run, and that task takes the messages that have come by then. A push on its own is
/// encrypted as soon as a thread is free; under load, batches are as large as the backlog.
package final class WebPushEncryptionQueue: Sendable {
    private struct Waiting: Sendable {
        var message: WebPushMessage
        var answer: CheckedContinuation<[UInt8], any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Whether a task is on its way that has not yet taken messages.
        var isTaskComing = false
    }

    private let keys: WebPushSenderKeys
    private let state = Mutex(State())

    package init(keys: WebPushSenderKeys) {
        self.keys = keys
    }

    /// Encrypts one message, with others if there are any.
    package func encrypt(_ message: WebPushMessage) async throws -> [UInt8] {
        guard keys.batches else { return try keys.encrypt(message) }
        return try await withCheckedThrowingContinuation { answer in
            let isFirst = state.withLock { state in
                state.waiting.append(Waiting(message: message, answer: answer))
                defer { state.isTaskComing = true }
                return !state.isTaskComing
            }
            if isFirst { start() }
        }
    }

    private func start() {
        Task { takeBatch() }
    }

    private func takeBatch() {
        let (batch, isMoreWaiting) = state.withLock { state in
            let batch = Array(state.waiting.prefix(WebPushSenderKeys.batchSize))
            state.waiting.removeFirst(batch.count)
            state.isTaskComing = !state.waiting.isEmpty
            return (batch, state.isTaskComing)
        }
        // Another thread may take the rest meanwhile.
        if isMoreWaiting { start() }
        for (waiting, result) in zip(batch, keys.encrypt(batch.map(\.message))) {
            waiting.answer.resume(with: result)
        }
    }
}
