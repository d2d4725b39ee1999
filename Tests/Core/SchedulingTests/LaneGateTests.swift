import Foundation
import Scheduling
import Testing

@Suite("The gate of a lane")
struct LaneGateTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    /// A gate that failures have closed at the fourth second, until the ninth.
    private func closedGate() -> LaneGate {
        var gate = LaneGate()
        for second in 0...4 {
            _ = gate.report(.fails(reason: "HTTP 503"), at: at(Double(second)), jitter: 1)
        }
        return gate
    }

    @Test("stays open when a cut connection fails a thousand pushes at once")
    func burst() {
        var gate = LaneGate()
        for _ in 0..<1_000 {
            let isClosed = gate.report(.fails(reason: "connection reset"), at: start, jitter: 1)
            #expect(!isClosed)
        }
        #expect(gate.room(at: start) == nil)
        let isChanged = gate.report(.works, at: at(1), jitter: 1)
        #expect(!isChanged)
        // The streak begins anew.
        let isClosedLater = gate.report(.fails(reason: "connection reset"), at: at(5), jitter: 1)
        #expect(!isClosedLater)
        #expect(gate.room(at: at(5)) == nil)
    }

    @Test("stays open while some pushes arrive between the failures")
    func partly() {
        var gate = LaneGate()
        for second in 0..<60 {
            _ = gate.report(.fails(reason: "HTTP 500"), at: at(Double(second)), jitter: 1)
            _ = gate.report(.works, at: at(Double(second)), jitter: 1)
        }
        #expect(gate.room(at: at(60)) == nil)
    }

    @Test("closes when failures go on, and lets one push through after a pause")
    func outage() {
        var gate = closedGate()
        #expect(gate.room(at: at(5)) == 0)
        #expect(gate.room(at: at(9)) == 1)
        gate.started(at: at(9))
        #expect(gate.room(at: at(10)) == 0)
        let isOpened = gate.report(.works, at: at(10), jitter: 1)
        #expect(isOpened)
        #expect(gate.room(at: at(10)) == nil)
    }

    @Test("doubles its pause with every failed probe, up to five minutes")
    func pauses() {
        var gate = closedGate()
        var now = at(9)
        var pauses: [TimeInterval] = []
        for _ in 0..<9 {
            gate.started(at: now)
            let isClosed = gate.report(.fails(reason: "HTTP 503"), at: now, jitter: 1)
            #expect(isClosed)
            guard case .closed(_, let since, let until) = gate.state else {
                Issue.record("the gate is \(gate.state)")
                return
            }
            #expect(since == at(4))
            pauses.append(until.timeIntervalSince(now))
            now = until
        }
        #expect(pauses == [10, 20, 40, 80, 160, 300, 300, 300, 300])
    }

    @Test("sends another probe when the first one never ends")
    func lostProbe() {
        var gate = closedGate()
        gate.started(at: at(9))
        #expect(gate.room(at: at(68)) == 0)
        #expect(gate.room(at: at(69)) == 1)
    }

    @Test("closes at once when credentials are refused repeatedly")
    func credentials() {
        var gate = LaneGate()
        let report = LaneGate.Report.refusesCredentials(reason: "InvalidProviderToken")
        let isClosedByFirst = gate.report(report, at: start, jitter: 0)
        #expect(!isClosedByFirst)
        let isClosedBySecond = gate.report(report, at: start, jitter: 0)
        #expect(!isClosedBySecond)
        let isClosedByThird = gate.report(report, at: start, jitter: 0)
        #expect(isClosedByThird)
        guard case .closed(let reason, _, let until) = gate.state else {
            Issue.record("the gate is \(gate.state)")
            return
        }
        #expect(reason == "InvalidProviderToken")
        // The jitter spreads the second half of the pause.
        #expect(until == at(2.5))
    }

    @Test("a push that was on its way and arrives opens it again")
    func straggler() {
        var gate = closedGate()
        let isOpened = gate.report(.works, at: at(5), jitter: 1)
        #expect(isOpened)
        #expect(gate.room(at: at(5)) == nil)
    }

    @Test("closes with the fifth failure, and not before the third second")
    func firstClosing() {
        func isClosed(_ seconds: [TimeInterval]) -> Bool {
            var gate = LaneGate()
            var isClosed = false
            for second in seconds {
                isClosed = gate.report(.fails(reason: "HTTP 503"), at: at(second), jitter: 1)
            }
            return isClosed
        }
        #expect(isClosed([0, 0, 0, 0, 3]))
        #expect(!isClosed([0, 0, 0, 0, 2.999]))
        #expect(!isClosed([0, 0, 0, 3]))
    }

    @Test("failures for different reasons are not one outage")
    func reasons() {
        var gate = LaneGate()
        for second in 0..<20 {
            let reason = second.isMultiple(of: 2) ? "HTTP 503" : "connection reset"
            let isClosed = gate.report(.fails(reason: reason), at: at(Double(second)), jitter: 1)
            #expect(!isClosed)
        }
        for second in 20..<24 {
            let isClosed = gate.report(
                .fails(reason: "HTTP 503"),
                at: at(Double(second)),
                jitter: 1
            )
            #expect(isClosed == false)
        }
        let isClosed = gate.report(.fails(reason: "HTTP 503"), at: at(24), jitter: 1)
        #expect(isClosed)
    }

    @Test("an opened gate begins anew: with its first pause, and as many failures as before")
    func anew() {
        var gate = closedGate()
        gate.started(at: at(9))
        _ = gate.report(.fails(reason: "HTTP 503"), at: at(9), jitter: 1)
        let isOpened = gate.report(.accepts, at: at(30), jitter: 1)
        #expect(isOpened && gate.isProven)
        for second in 40...43 {
            let isClosed = gate.report(
                .fails(reason: "HTTP 503"),
                at: at(Double(second)),
                jitter: 1
            )
            #expect(!isClosed)
        }
        let isClosed = gate.report(.fails(reason: "HTTP 503"), at: at(44), jitter: 1)
        #expect(isClosed)
        #expect(gate.state == .closed(reason: "HTTP 503", since: at(44), until: at(49)))
        #expect(gate.room(at: at(48.999)) == 0 && gate.room(at: at(49)) == 1)
        // Before its time nothing is let through.
        gate.started(at: at(48.999))
        #expect(gate.state == .closed(reason: "HTTP 503", since: at(44), until: at(49)))
    }

    @Test("only a push that is taken proves the provider")
    func proof() {
        var gate = LaneGate()
        _ = gate.report(.works, at: start, jitter: 1)
        #expect(!gate.isProven)
        _ = gate.report(.accepts, at: start, jitter: 1)
        #expect(gate.isProven)
    }
}
