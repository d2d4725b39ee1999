import Synchronization

/// Wakes idle workers when there may be work.
///
/// It counts signals, so that one that arrives between a poll and the wait is not missed.
package final class WakeSignal: Sendable {
    private struct State {
        var generation = 0
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var generation: Int { state.withLock { $0.generation } }

    package func signal() {
        let waiting = state.withLock { state in
            state.generation += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns after the first signal later than `generation`, after `limit`, or when cancelled.
    func wait(after generation: Int, atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(after: generation) }
            // The only error is cancellation, which also ends the wait.
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(after generation: Int) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.generation != generation || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}
