import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import Testing

@Suite("Connections to Apple are kept, watched and added when one is full")
struct APNsConnectionTests {
    @Test("a quiet connection is pinged after an hour")
    func hour() {
        #expect(PushHTTPLimits().quietTime == .seconds(3600))
    }

    @Test("after the quiet time pings go out, are answered, and the connection stays open")
    func ping() async throws {
        var limits = APNsTestBench.quickLimits
        limits.quietTime = .milliseconds(100)
        try await APNsTestBench.run(limits: limits) { bench in
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            let end = ContinuousClock.now + .seconds(30)
            var statistics = await bench.transport.statistics()
            // A second ping goes out only after the answer to the first.
            while statistics.pings < 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
                statistics = await bench.transport.statistics()
            }
            #expect(statistics.pings >= 2)
            #expect(statistics.connections == 1)
            #expect(statistics.connectionsOpened == 1)
        }
    }

    @Test("before the quiet time there is none")
    func noPing() async throws {
        try await APNsTestBench.run { bench in
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            try await Task.sleep(for: .milliseconds(300))
            #expect(await bench.transport.statistics().pings == 0)
        }
    }

    @Test("more connections are opened when one is full, and never more than allowed")
    func full() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.streamLimit = 20
        configuration.faults.latencyMilliseconds = 30
        var limits = APNsTestBench.quickLimits
        limits.connections = 3
        try await APNsTestBench.run(configuration, limits: limits) { bench in
            let pushes = (0..<600).map { _ in bench.push(to: bench.device()) }
            let outcomes = await bench.sendAll(pushes)
            #expect(outcomes.count(where: \.isAccepted) == 600)
            let statistics = await bench.transport.statistics()
            #expect((2...3).contains(statistics.connectionsOpened))
        }
    }

    @Test("a VoIP push has 5,120 bytes, one more is refused before it is sent")
    func voip() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            for (size, isAccepted) in [(5120, true), (5121, false)] {
                let frame = #"{"aps":{},"x":""}"#
                let text = String(repeating: "x", count: size - frame.utf8.count)
                let notification = APNsNotification(
                    id: UUID().uuidString.lowercased(),
                    deviceToken: token,
                    bundleID: APNsTestBench.bundleID,
                    environment: .production,
                    pushType: .voip,
                    payload: Array(#"{"aps":{},"x":"\#(text)"}"#.utf8)
                )
                let outcome = await bench.transport.send(
                    notification,
                    registeredAt: .distantPast,
                    deadline: .seconds(10)
                )
                #expect(outcome.isAccepted == isAccepted)
                if !isAccepted { #expect(outcome.rejection?.reason == "PayloadTooLarge") }
            }
            #expect(bench.simulator.accepted.first?.topic == "\(APNsTestBench.bundleID).voip")
            #expect(bench.simulator.acceptedCount == 1)
        }
    }
}
