import Foundation
import Model
import Ports
import Testing

@testable import Delivery

@Suite("How fast a send goes")
struct ProgressMeterTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    private func progress(_ done: Int, of total: Int, isFinal: Bool = true) -> DeliveryProgress {
        var counts = SendCounts()
        counts.states = [.accepted: done, .queued: total - done]
        return DeliveryProgress(
            send: SendID(1),
            state: .sending,
            counts: counts,
            isTotalFinal: isFinal,
            reasons: [],
            trippedLanes: []
        )
    }

    @Test("is what was done between the first and the last look, by the second")
    func rate() {
        var meter = ProgressMeter()
        #expect(meter.perSecond == nil)
        meter.note(progress(100, of: 1_000), at: start)
        #expect(meter.perSecond == nil)
        meter.note(progress(100, of: 1_000), at: start)
        #expect(meter.perSecond == nil)
        meter.note(progress(300, of: 1_000), at: start.addingTimeInterval(4))
        #expect(meter.perSecond == 50)
        #expect(meter.timeLeft(of: progress(300, of: 1_000)) == 14)
        #expect(meter.timeLeft(of: progress(300, of: 1_000, isFinal: false)) == nil)
    }

    @Test("looks back ten seconds, and to the look that is older than they are")
    func window() {
        var meter = ProgressMeter()
        meter.note(progress(0, of: 1_000), at: start)
        meter.note(progress(100, of: 1_000), at: start.addingTimeInterval(5))
        meter.note(progress(110, of: 1_000), at: start.addingTimeInterval(14.9))
        #expect(abs((meter.perSecond ?? 0) - 110 / 14.9) < 1e-6)
        meter.note(progress(120, of: 1_000), at: start.addingTimeInterval(15))
        #expect(meter.perSecond == 2)
    }

    @Test("a send that is slower than one a second ends too")
    func slow() {
        var meter = ProgressMeter()
        meter.note(progress(10, of: 20), at: start)
        meter.note(progress(12, of: 20), at: start.addingTimeInterval(4))
        #expect(meter.perSecond == 0.5)
        #expect(meter.timeLeft(of: progress(12, of: 20)) == 16)
    }

    @Test("nothing is foretold of a send that stands still")
    func still() {
        var meter = ProgressMeter()
        meter.note(progress(10, of: 20), at: start)
        meter.note(progress(10, of: 20), at: start.addingTimeInterval(1))
        #expect(meter.perSecond == 0)
        #expect(meter.timeLeft(of: progress(10, of: 20)) == nil)
    }
}
