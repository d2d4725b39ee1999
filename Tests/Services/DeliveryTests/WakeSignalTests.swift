import Foundation
import Synchronization
import Testing

@testable import Delivery

@Suite("Waiting for work")
struct WakeSignalTests {
    private static let long = Duration.seconds(3_600)

    /// A wait in another task, and whether it is over.
    private final class Waiter: Sendable {
        private let isOver = Mutex(false)

        var hasEnded: Bool { isOver.withLock { $0 } }

        func wait(_ wake: WakeSignal, after generation: Int) async {
            await wake.wait(after: generation, atMost: WakeSignalTests.long)
            isOver.withLock { $0 = true }
        }
    }

    private func pass() async {
        for _ in 0..<200 { await Task.yield() }
    }

    @Test("each announcement has its number")
    func generation() {
        let wake = WakeSignal()
        #expect(wake.generation == 0)
        wake.signal()
        #expect(wake.generation == 1)
        wake.signal()
        #expect(wake.generation == 2)
    }

    @Test("an announcement between the look and the wait is not missed")
    func early() async {
        let wake = WakeSignal()
        let seen = wake.generation
        wake.signal()
        await wake.wait(after: seen, atMost: Self.long)
        // However many have come since.
        wake.signal()
        await wake.wait(after: seen, atMost: Self.long)
    }

    @Test("without one the wait goes on; then everybody who waits goes on at once")
    func everybody() async {
        let wake = WakeSignal()
        wake.signal()
        let seen = wake.generation
        let waiters = (0..<5).map { _ in Waiter() }
        await withTaskGroup(of: Void.self) { group in
            for waiter in waiters { group.addTask { await waiter.wait(wake, after: seen) } }
            await pass()
            #expect(waiters.allSatisfy { !$0.hasEnded })
            wake.signal()
            await group.waitForAll()
        }
        #expect(waiters.allSatisfy { $0.hasEnded })
    }

    @Test("a wait ends when its task is cancelled, and when its time is over")
    func ends() async {
        let wake = WakeSignal()
        let waiter = Waiter()
        let waiting = Task { await waiter.wait(wake, after: wake.generation) }
        await pass()
        #expect(!waiter.hasEnded)
        waiting.cancel()
        await waiting.value
        await wake.wait(after: wake.generation, atMost: .zero)
        let cancelled = Task {
            await pass()
            await wake.wait(after: wake.generation, atMost: Self.long)
        }
        cancelled.cancel()
        await cancelled.value
    }
}
