import Synchronization

/// The first of several results, for a wait that ends before the other work does.
///
/// Structured concurrency waits for every child. A name lookup cannot be interrupted, and one
/// caller's cancellation must not cancel a call that others wait for too.
final class OneShotResult<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case full(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    func offer(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .full: return nil
            case .empty:
                state = .full(result)
                return nil
            case .waiting(let continuation):
                state = .full(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    /// Waits for the first result. Call only once.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if case .full(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            offer(.failure(CancellationError()))
        }
    }
}

/// Runs work and waits at most `limit` for it; work that is still running is then cancelled.
///
/// - Returns: `nil` if the limit was reached before the work was done.
func within<Value: Sendable>(
    _ limit: Duration,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    let first = OneShotResult<Value?>()
    let worker = Task {
        do {
            first.offer(.success(try await work()))
        } catch {
            first.offer(.failure(error))
        }
    }
    let timer = Task {
        try await Task.sleep(for: limit)
        first.offer(.success(nil))
    }
    defer {
        worker.cancel()
        timer.cancel()
    }
    return try await first.value()
}
