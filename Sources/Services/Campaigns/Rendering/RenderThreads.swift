import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Dedicated threads for renders that take long, so that they delay no requests.
///
/// Their queue is bounded, and they run at low priority.
final class RenderThreads: Sendable {
    /// The state shared by the threads and their callers; the threads must not retain their owner.
    private final class Line: Sendable {
        private struct State {
            var jobs: [@Sendable () -> Void] = []
            var threads = 0
            var working = 0
            var isOver = false
        }

        private let state = Mutex(State())
        private let signal = DispatchSemaphore(value: 0)

        /// - Returns: `false` if the queue is full.
        func add(upTo limit: Int, threads: Int, _ job: @escaping @Sendable () -> Void) -> Bool {
            let (isTaken, needsThread) = state.withLock { state in
                guard state.jobs.count < limit else { return (false, false) }
                state.jobs.append(job)
                let isShort = state.working + state.jobs.count > state.threads
                guard isShort, state.threads < threads else { return (true, false) }
                state.threads += 1
                return (true, true)
            }
            if needsThread { Thread.detachNewThread { self.work() } }
            if isTaken { signal.signal() }
            return isTaken
        }

        func end(threads: Int) {
            state.withLock { $0.isOver = true }
            for _ in 0..<threads { signal.signal() }
        }

        private func work() {
            #if canImport(Glibc)
            // For this thread only; if the system does not permit it, the priorities stay equal.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            #endif
            while true {
                signal.wait()
                let job = state.withLock { state in
                    guard !state.jobs.isEmpty else { return (@Sendable () -> Void)?.none }
                    state.working += 1
                    return state.jobs.removeFirst()
                }
                guard let job else {
                    if state.withLock(\.isOver) { return }
                    continue
                }
                job()
                state.withLock { $0.working -= 1 }
            }
        }
    }

    private let count: Int
    private let waiting: Int
    private let line = Line()

    /// - Parameters:
    ///   - count: Number of threads, which are started on first use.
    ///   - waiting: Maximum number of renders that wait for a thread.
    init(count: Int, waiting: Int) {
        self.count = count
        self.waiting = waiting
    }

    deinit { line.end(threads: count) }

    /// - Returns: `nil` if the queue is full.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let isTaken = line.add(upTo: waiting, threads: count) {
                continuation.resume(returning: work())
            }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }
}
