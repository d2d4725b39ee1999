import Foundation
import Model
import Ports
import Testing

@testable import Delivery

@Suite("Outcomes on their way to the ledger", .timeLimit(.minutes(20)))
struct ResultQueueTests {
    private func entry(_ number: Int64) -> ResultQueue.Entry {
        ResultQueue.Entry(
            result: DispatchUpdate(
                send: SendID(number),
                device: DeviceID(1),
                change: .accepted(providerID: nil)
            )
        )
    }

    private func sends(_ entries: [ResultQueue.Entry]?) -> [Int64]? {
        entries?.map(\.result.send.rawValue)
    }

    @Test("all there are are taken at once, in their order, also while more may come")
    func taking() async {
        let queue = ResultQueue()
        for number in 1...3 { queue.add(entry(Int64(number))) }
        #expect(sends(await queue.next()) == [1, 2, 3])
        queue.add(entry(4))
        #expect(sends(await queue.next()) == [4])
        #expect(!queue.isFinished)
    }

    @Test("who waits gets the next one as it comes")
    func waiting() async {
        let queue = ResultQueue()
        let taker = Task { sends(await queue.next()) }
        for _ in 0..<200 { await Task.yield() }
        queue.add(entry(7))
        #expect(await taker.value == [7])
    }

    @Test("what was there at the end is still taken; then there is nothing any more")
    func end() async {
        let queue = ResultQueue()
        queue.add(entry(1))
        queue.finish()
        #expect(queue.isFinished)
        #expect(sends(await queue.next()) == [1])
        #expect(await queue.next() == nil)
        let waited = ResultQueue()
        let taker = Task { sends(await waited.next()) }
        for _ in 0..<200 { await Task.yield() }
        waited.finish()
        #expect(await taker.value == nil)
    }
}
