import FCM
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Synchronization
import Testing

@Suite("When Firebase goes away in the middle, every push still has an outcome")
struct FCMFaultTests {
    private var manyStreams: GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.streamLimit = 1000
        return configuration
    }

    private func send500(_ bench: FCMTestBench, _ script: String) async throws -> [PushOutcome] {
        let token = bench.simulator.registerDevice(project: FCMTestBench.project)
        return try await bench.sendInto(script) { bench.push(to: token) }
    }

    @Test("a GOAWAY with 500 in flight: all are accepted, none twice")
    func goAway() async throws {
        try await FCMTestBench.run(simulator: manyStreams) { bench in
            let outcomes = try await send500(
                bench,
                #"{"latency_ms": 50, "faults": [{"skip": 250, "times": 1, "goaway": "bye"}]}"#
            )
            let accepted = outcomes.count(where: \.isAccepted)
            #expect(accepted == 500)
            #expect(bench.simulator.acceptedCount == 501)
            #expect(await bench.transport.statistics().goAways == 1)
        }
    }

    @Test("a cut connection with 500 in flight: accepted or unknown, none is forgotten")
    func cut() async throws {
        try await FCMTestBench.run(simulator: manyStreams) { bench in
            let outcomes = try await send500(
                bench,
                #"{"latency_ms": 50, "faults": [{"skip": 250, "times": 1, "drop": true}]}"#
            )
            let accepted = outcomes.count(where: \.isAccepted)
            let unknown = outcomes.count(where: \.isUnknown)
            #expect(accepted + unknown == 500)
            #expect(unknown > 0)
            // What the service took and could not answer is among the unknown ones.
            #expect(bench.simulator.acceptedCount - 1 >= accepted)
        }
    }
}

@Suite("Messages to Firebase start slowly")
struct RampUpRateLimiterTests {
    private let start = ContinuousClock.now

    /// The times of `count` messages that are all ready at once, in seconds.
    private func places(_ ramp: RampUpRateLimiter, _ count: Int) -> [Double] {
        (0..<count).map { _ in (ramp.reserve(now: start) - start) / .seconds(1) }
    }

    @Test("from a tenth of the rate to all of it within the minute")
    func ramp() {
        let ramp = RampUpRateLimiter(fullRate: 100, rampTime: .seconds(60))
        let times = places(ramp, 6000)
        let inFirstSecond = times.count { $0 < 1 }
        #expect((10...13).contains(inFirstSecond))
        let halfway = times.count { (30..<31).contains($0) }
        #expect((53...57).contains(halfway))
        let full = times.count { (65..<66).contains($0) }
        #expect((99...101).contains(full))
        #expect(times == times.sorted())
    }

    @Test("several servers together keep to the rate, also when one comes or goes")
    func servers() {
        let servers = Mutex(1)
        func ramp() -> RampUpRateLimiter {
            RampUpRateLimiter(fullRate: 100, rampTime: .seconds(60)) { servers.withLock(\.self) }
        }
        let (first, second) = (ramp(), ramp())
        let alone = places(first, 6000)
        #expect((99...101).contains(alone.count { (65..<66).contains($0) }))
        servers.withLock { $0 = 2 }
        let beside = places(first, 2)
        #expect(abs(beside[1] - beside[0] - 0.02) < 0.001)
        let other = places(second, 3000)
        #expect((49...51).contains(other.count { (65..<66).contains($0) }))
        #expect((5...7).contains(other.count { $0 < 1 }))
        servers.withLock { $0 = 1 }
        let again = places(first, 2)
        #expect(abs(again[1] - again[0] - 0.01) < 0.001)
    }

    @Test("after a minute without messages it begins again, after less it goes on")
    func pause() {
        let ramp = RampUpRateLimiter(fullRate: 100, rampTime: .seconds(60))
        let last = start + .seconds(places(ramp, 6000).last ?? 0)
        let soon = last + .seconds(30)
        let next = (0..<3).map { _ in ramp.reserve(now: soon) }
        #expect(next[2] - next[1] < .milliseconds(11))
        let late = next[2] + .seconds(61)
        let again = (0..<2).map { _ in ramp.reserve(now: late) }
        #expect(again[1] - again[0] > .milliseconds(95))
    }
}
