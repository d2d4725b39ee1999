import Foundation
import Synchronization
import Testing

@testable import Campaigns

@Suite("Threads for renders that take long")
struct RenderThreadsTests {
    private final class Counts: Sendable {
        let done = Atomic(0)
        let refused = Atomic(0)
    }

    /// Runs work that waits for the gate, and returns once it has begun.
    private func occupy(
        _ threads: RenderThreads,
        until gate: DispatchSemaphore
    ) async -> Task<Int?, Never> {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await threads.run {
                hasBegun.finish()
                gate.wait()
                return 1
            }
        }
        for await _ in begun {}
        return task
    }

    @Test("as many run at a time as there are threads, and none waits for one that is free")
    func parallel() async {
        let threads = RenderThreads(count: 2, waiting: 4)
        let gate = DispatchSemaphore(value: 0)
        // The second begins while the first one is held.
        let first = await occupy(threads, until: gate)
        let second = await occupy(threads, until: gate)
        gate.signal()
        gate.signal()
        #expect(await first.value == 1)
        #expect(await second.value == 1)
        #expect(await threads.run { 2 } == 2)
    }

    @Test("as many wait as the limit says, not one more")
    func waiting() async {
        let threads = RenderThreads(count: 1, waiting: 2)
        let gate = DispatchSemaphore(value: 0)
        let first = await occupy(threads, until: gate)
        let counts = Counts()
        await withTaskGroup { group in
            for _ in 1...3 {
                group.addTask {
                    let answer = await threads.run { counts.done.add(1, ordering: .relaxed) }
                    guard answer == nil else { return }
                    counts.refused.add(1, ordering: .relaxed)
                    // The queue is full: what is held may go on.
                    gate.signal()
                }
            }
        }
        #expect(await first.value == 1)
        #expect(counts.refused.load(ordering: .relaxed) == 1)
        #expect(counts.done.load(ordering: .relaxed) == 2)
    }
}
