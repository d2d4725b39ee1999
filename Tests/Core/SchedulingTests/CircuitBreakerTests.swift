import Foundation
import Scheduling
import Testing

@Suite("The circuit breaker of a lane")
struct CircuitBreakerTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    /// A breaker that failures have tripped at the fourth second, until the ninth.
    private func trippedBreaker() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for second in 0...4 {
            _ = breaker.record(.failed(reason: "HTTP 503"), at: at(Double(second)), jitter: 1)
        }
        return breaker
    }

    @Test("does not trip when a cut connection fails a thousand pushes at once")
    func burst() {
        var breaker = CircuitBreaker()
        for _ in 0..<1_000 {
            let isTripped = breaker.record(
                .failed(reason: "connection reset"),
                at: start,
                jitter: 1
            )
            #expect(!isTripped)
        }
        #expect(breaker.capacity(at: start) == nil)
        let isChanged = breaker.record(.responded, at: at(1), jitter: 1)
        #expect(!isChanged)
        // The streak begins anew.
        let isTrippedLater = breaker.record(
            .failed(reason: "connection reset"),
            at: at(5),
            jitter: 1
        )
        #expect(!isTrippedLater)
        #expect(breaker.capacity(at: at(5)) == nil)
    }

    @Test("does not trip while some pushes arrive between the failures")
    func partly() {
        var breaker = CircuitBreaker()
        for second in 0..<60 {
            _ = breaker.record(.failed(reason: "HTTP 500"), at: at(Double(second)), jitter: 1)
            _ = breaker.record(.responded, at: at(Double(second)), jitter: 1)
        }
        #expect(breaker.capacity(at: at(60)) == nil)
    }

    @Test("trips when failures go on, and lets one push through after a pause")
    func outage() {
        var breaker = trippedBreaker()
        #expect(breaker.capacity(at: at(5)) == 0)
        #expect(breaker.capacity(at: at(9)) == 1)
        breaker.recordAttempt(at: at(9))
        #expect(breaker.capacity(at: at(10)) == 0)
        let isReset = breaker.record(.responded, at: at(10), jitter: 1)
        #expect(isReset)
        #expect(breaker.capacity(at: at(10)) == nil)
    }

    @Test("doubles its pause with every failed probe, up to five minutes")
    func pauses() {
        var breaker = trippedBreaker()
        var now = at(9)
        var pauses: [TimeInterval] = []
        for _ in 0..<9 {
            breaker.recordAttempt(at: now)
            let isTripped = breaker.record(.failed(reason: "HTTP 503"), at: now, jitter: 1)
            #expect(isTripped)
            guard case .open(_, let since, let until) = breaker.state else {
                Issue.record("the breaker is \(breaker.state)")
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
        var breaker = trippedBreaker()
        breaker.recordAttempt(at: at(9))
        #expect(breaker.capacity(at: at(68)) == 0)
        #expect(breaker.capacity(at: at(69)) == 1)
    }

    @Test("trips at once when credentials are rejected repeatedly")
    func credentials() {
        var breaker = CircuitBreaker()
        let signal = CircuitBreaker.Signal.credentialsRejected(reason: "InvalidProviderToken")
        let isTrippedByFirst = breaker.record(signal, at: start, jitter: 0)
        #expect(!isTrippedByFirst)
        let isTrippedBySecond = breaker.record(signal, at: start, jitter: 0)
        #expect(!isTrippedBySecond)
        let isTrippedByThird = breaker.record(signal, at: start, jitter: 0)
        #expect(isTrippedByThird)
        guard case .open(let reason, _, let until) = breaker.state else {
            Issue.record("the breaker is \(breaker.state)")
            return
        }
        #expect(reason == "InvalidProviderToken")
        // The jitter spreads the second half of the pause.
        #expect(until == at(2.5))
    }

    @Test("a push that was on its way and arrives resets it")
    func straggler() {
        var breaker = trippedBreaker()
        let isReset = breaker.record(.responded, at: at(5), jitter: 1)
        #expect(isReset)
        #expect(breaker.capacity(at: at(5)) == nil)
    }

    @Test("trips with the fifth failure, and not before the third second")
    func firstTrip() {
        func isTripped(_ seconds: [TimeInterval]) -> Bool {
            var breaker = CircuitBreaker()
            var isTripped = false
            for second in seconds {
                isTripped = breaker.record(.failed(reason: "HTTP 503"), at: at(second), jitter: 1)
            }
            return isTripped
        }
        #expect(isTripped([0, 0, 0, 0, 3]))
        #expect(!isTripped([0, 0, 0, 0, 2.999]))
        #expect(!isTripped([0, 0, 0, 3]))
    }

    @Test("failures for different reasons are not one outage")
    func reasons() {
        var breaker = CircuitBreaker()
        for second in 0..<20 {
            let reason = second.isMultiple(of: 2) ? "HTTP 503" : "connection reset"
            let isTripped = breaker.record(
                .failed(reason: reason),
                at: at(Double(second)),
                jitter: 1
            )
            #expect(!isTripped)
        }
        for second in 20..<24 {
            let isTripped = breaker.record(
                .failed(reason: "HTTP 503"),
                at: at(Double(second)),
                jitter: 1
            )
            #expect(isTripped == false)
        }
        let isTripped = breaker.record(.failed(reason: "HTTP 503"), at: at(24), jitter: 1)
        #expect(isTripped)
    }

    @Test("one that was reset begins anew: with its first pause, and as many failures as before")
    func anew() {
        var breaker = trippedBreaker()
        breaker.recordAttempt(at: at(9))
        _ = breaker.record(.failed(reason: "HTTP 503"), at: at(9), jitter: 1)
        let isReset = breaker.record(.accepted, at: at(30), jitter: 1)
        #expect(isReset && breaker.isProven)
        for second in 40...43 {
            let isTripped = breaker.record(
                .failed(reason: "HTTP 503"),
                at: at(Double(second)),
                jitter: 1
            )
            #expect(!isTripped)
        }
        let isTripped = breaker.record(.failed(reason: "HTTP 503"), at: at(44), jitter: 1)
        #expect(isTripped)
        #expect(breaker.state == .open(reason: "HTTP 503", since: at(44), until: at(49)))
        #expect(breaker.capacity(at: at(48.999)) == 0 && breaker.capacity(at: at(49)) == 1)
        // Before its time nothing is let through.
        breaker.recordAttempt(at: at(48.999))
        #expect(breaker.state == .open(reason: "HTTP 503", since: at(44), until: at(49)))
    }

    @Test("only a push that is taken proves the provider")
    func proof() {
        var breaker = CircuitBreaker()
        _ = breaker.record(.responded, at: start, jitter: 1)
        #expect(!breaker.isProven)
        _ = breaker.record(.accepted, at: start, jitter: 1)
        #expect(breaker.isProven)
    }
}
