import Synchronization

/// How often a server could not be reached. Whoever waited while an attempt failed gets its error: a server that
/// does not answer costs each attempt seconds, and those in a queue would spend them one after the other.
final class PostgresReach: Sendable {
    private struct State {
        var failures = 0
        var last: (any Error)?
    }

    private let state = Mutex(State())

    var failures: Int { state.withLock(\.failures) }

    func failed(_ error: any Error) {
        state.withLock { state in
            state.failures += 1
            state.last = error
        }
    }

    /// - Parameter number: The number of failures when somebody began to wait.
    /// - Returns: Why no server was reached since; `nil` if nobody has tried in vain.
    func failure(since number: Int) -> (any Error)? {
        state.withLock { $0.failures > number ? $0.last : nil }
    }
}
