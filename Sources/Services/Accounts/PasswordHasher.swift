import Foundation
import Synchronization

/// Computes password hashes on a thread of its own.
///
/// A hash takes some tens of milliseconds of a processor by design. On the threads that answer
/// requests a few of them would hold up all others; here they wait for each other, in a line that
/// has an end, and give way to everything else.
package final class PasswordHasher: Sendable {
    /// There are so many hashes to compute that another one is not taken.
    package struct Busy: Error, Sendable {
        package var retryAfterSeconds: Int
    }

    /// What the thread and those who wait for it share; the thread must not keep the hasher alive.
    private final class Line: Sendable {
        private struct State {
            var jobs: [@Sendable () -> Void] = []
            /// Waiting, and the one that is computed.
            var count = 0
            var isRunning = false
            var isOver = false
        }

        private let state = Mutex(State())
        private let signal = DispatchSemaphore(value: 0)

        /// Whether the job was taken.
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
            // For this thread alone; requests come first. Where it is not allowed, all are equal.
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

    /// Rounds of scrypt for a new hash, a power of two; a stored one says its own.
    package static let usualRounds = PasswordHash.rounds

    private let limit: Int
    private let rounds: Int
    private let line = Line()

    /// - Parameters:
    ///   - limit: How many may be computed and wait. The last of 16 waits about a second.
    ///   - rounds: What a guess costs.
    package init(limit: Int = 16, rounds: Int = PasswordHasher.usualRounds) {
        self.limit = limit
        self.rounds = rounds
    }

    deinit { line.end() }

    /// Whether one more would be taken now.
    package var hasRoom: Bool { line.hasRoom(limit) }

    package func make(_ password: String, salt: [UInt8]) async throws -> String {
        try await compute { [rounds] in
            try PasswordHash.make(password, salt: salt, rounds: rounds)
        }
    }

    package func matches(_ password: String, _ stored: String) async throws -> Bool {
        try await compute { try PasswordHash.matches(password, stored) }
    }

    /// - Throws: ``Busy`` when the line is full.
    func compute<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = line.add(upTo: limit) {
                continuation.resume(with: Result { try work() })
            }
            if !isTaken { continuation.resume(throwing: Busy(retryAfterSeconds: 2)) }
        }
    }
}
