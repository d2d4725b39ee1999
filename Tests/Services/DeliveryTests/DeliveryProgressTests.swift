import Foundation
import Model
import Testing

@testable import Delivery

@Suite("Where a send stands")
struct DeliveryProgressTests {
    private func progress(
        _ states: [DispatchState: Int],
        _ state: SendState = .sending
    ) -> DeliveryProgress {
        var counts = SendCounts()
        counts.states = states
        return DeliveryProgress(
            send: SendID(1),
            state: state,
            counts: counts,
            isTotalFinal: true,
            reasons: [],
            trippedLanes: []
        )
    }

    @Test("what is queued or on its way is not done, everything else is")
    func done() {
        let found = progress([
            .queued: 1, .sending: 2, .accepted: 4, .rejected: 8, .unknown: 16, .skipped: 32,
        ])
        #expect(found.total == 63)
        #expect(found.done == 60)
        #expect(found.share == 60.0 / 63)
        #expect(progress([:]).share == 0)
    }

    @Test("is over when it is finished or stopped")
    func over() {
        let over: [SendState] = [.finished, .cancelled]
        for state in SendState.allCases {
            #expect(progress([:], state).isOver == over.contains(state))
        }
    }
}
