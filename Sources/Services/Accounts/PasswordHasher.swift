import Foundation
import Model
import Synchronization

/// Computes password hashes on a dedicated thread.
///
/// By design a hash takes some tens of milliseconds of a processor. On the threads that serve
/// requests a few hashes would delay all other requests; here they wait in a bounded queue and run
/// at low priority.
package final class PasswordHasher: Sendable {
    /// The queue of hashes is full.
    static let busy = RefusalError(.signInBusy, retryAfterSeconds: 2)

    /// The state shared by the thread and its callers; the thread must not retain the hasher.
    private final class Line: Sendable {
        private struct State {
            var jobs: [@Sendable () -> Void] = []
            /// Number of jobs, including the running one.
            var count = 0
            var isRunning = false
            var isOver = false
        }

        private let state = Mutex(State())
        private let signal = DispatchSemaphore(value: 0)

        /// - Returns: `false` if the queue is full.
        func add(upTo limit: Int, _ job: @escaping @Sendable () -> Void) -> Bool {
            let (isTaken, isFirst) = state.withLock { state in
                guard state.count < limit else { return (false, false) }
                state.count += 1
                state.jobs.append(job)
                defer { state.isRunning = true }
                return (true, !state.isRunning)
            }
            if isFirst { Thread.detachNewThread { self.work() } }
            if isTaken { signal.signal() }
            return isTaken
        }

        func hasRoom(_ limit: Int) -> Bool { state.withLock { $0.count < limit } }

        func end() {
            state.withLock { $0.isOver = true }
            signal.signal()
        }

        private func work() {
            #if os(Linux)
            // For this thread only, so that requests take precedence. Where it is not permitted,
            // the priorities stay equal.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            #endif
            while true {
                signal.wait()
                let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
                guard let job else {
                    if state.withLock(\.isOver) { return }
                    continue
                }
                job()
                state.withLock { $0.count -= 1 }
            }
        }
    }

    /// Rounds of scrypt for a new hash, a power of two; a stored hash includes its own number.
    package static let usualRounds = PasswordHash.rounds

    private let limit: Int
    private let rounds: Int
    private let line = Line()

    /// - Parameters:
    ///   - limit: Maximum number of jobs, waiting or running. The last of 16 waits about a second.
    ///   - rounds: The cost of a guess.
    package init(limit: Int = 16, rounds: Int = PasswordHasher.usualRounds) {
        self.limit = limit
        self.rounds = rounds
    }

    deinit { line.end() }

    /// Whether another job would be accepted now.
    package var hasRoom: Bool { line.hasRoom(limit) }

    package func make(_ password: String, salt: [UInt8]) async throws -> String {
        try await compute { [rounds] in
            try PasswordHash.make(password, salt: salt, rounds: rounds)
        }
    }

    package func matches(_ password: String, _ stored: String) async throws -> Bool {
        try await compute { try PasswordHash.matches(password, stored) }
    }

    /// - Throws: ``busy`` if the queue is full.
    func compute<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = line.add(upTo: limit) {
                continuation.resume(with: Result { try work() })
            }
            if !isTaken { continuation.resume(throwing: Self.busy) }
        }
    }
}
