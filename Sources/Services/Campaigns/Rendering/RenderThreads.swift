import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Threads of their own for renders that take long, so that they hold up no request.
///
/// The line in front of them has an end, and they give way to everything else.
final class RenderThreads: Sendable {
    /// So many renders wait that another one is not taken.
    struct Busy: Error, Sendable {}

    /// What the threads and those who wait for them share; the threads must not keep their owner
    /// alive.
    private final class Line: Sendable {
        private struct State {
            var jobs: [@Sendable () -> Void] = []
            var threads = 0
            var working = 0
            var isOver = false
        }

        private let state = Mutex(State())
        private let signal = DispatchSemaphore(value: 0)

        /// Whether the job was taken.
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
            // For this thread alone; where the system refuses it, all are equal.
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
    ///   - count: Started when they are needed first.
    ///   - waiting: The most renders that wait for a thread.
    init(count: Int, waiting: Int) {
        self.count = count
        self.waiting = waiting
    }

    deinit { line.end(threads: count) }

    /// - Throws: ``Busy`` when the line is full.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Busy) -> Value {
        let value: Value? = await withCheckedContinuation { continuation in
            let isTaken = line.add(upTo: waiting, threads: count) {
                continuation.resume(returning: work())
            }
            if !isTaken { continuation.resume(returning: nil) }
        }
        guard let value else { throw Busy() }
        return value
    }
}
