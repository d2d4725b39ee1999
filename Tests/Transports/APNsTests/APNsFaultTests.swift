import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Testing

@Suite("When something goes wrong on the way, every push still has an outcome")
struct APNsFaultTests {
    private func faults(_ json: String) throws -> FaultScript {
        try FaultScript(json: Data(json.utf8))
    }

    @Test("a GOAWAY with 500 streams in flight: what was not looked at is sent again")
    func goAway() async throws {
        try await APNsTestBench.run { bench in
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            bench.simulator.play(
                try faults(
                    #"{"latency_ms": 30, "faults": [{"skip": 250, "times": 1, "goaway": "Shutdown"}]}"#
                )
            )
            let pushes = (0..<500).map { _ in bench.push(to: bench.device()) }

            let outcomes = await bench.sendAll(pushes)

            #expect(outcomes.count == 500)
            #expect(outcomes.filter(\.isAccepted).count == 500)
            let statistics = await bench.transport.statistics()
            #expect(statistics.goAways == 1)
            #expect(statistics.resent > 0)
            #expect(statistics.connectionsOpened == 2)
            let ids = bench.simulator.accepted.map(\.id)
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test("a cut connection with 500 streams in flight: accepted or unknown, none is forgotten")
    func cutConnection() async throws {
        try await APNsTestBench.run { bench in
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            bench.simulator.play(
                try faults(#"{"faults": [{"skip": 250, "times": 1, "drop": true}]}"#)
            )
            let pushes = (0..<500).map { _ in bench.push(to: bench.device()) }

            let outcomes = await bench.sendAll(pushes)

            #expect(outcomes.count == 500)
            #expect(outcomes.allSatisfy { $0.isAccepted || $0.isUnknown })
            #expect(outcomes.contains { $0.isUnknown })
            let accepted = Set(bench.simulator.accepted.map(\.id))
            for (push, outcome) in zip(pushes, outcomes) where outcome.isAccepted {
                #expect(accepted.contains(push.dispatch.description))
            }
        }
    }

    @Test("a refused stream was not looked at, so it is sent again")
    func refusedStream() async throws {
        try await APNsTestBench.run { bench in
            bench.simulator.play(try faults(#"{"faults": [{"times": 2, "reset": 7}]}"#))
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            #expect(await bench.transport.statistics().resent == 2)
        }
    }

    @Test("a stream reset for another cause may have been taken: unknown")
    func resetStream() async throws {
        try await APNsTestBench.run { bench in
            bench.simulator.play(try faults(#"{"faults": [{"times": 1, "reset": 2}]}"#))
            #expect(await bench.transport.send(bench.push(to: bench.device())).isUnknown)
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
        }
    }

    @Test("no answer before the deadline is unknown, and the next push goes out all the same")
    func stall() async throws {
        try await APNsTestBench.run { bench in
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            bench.simulator.play(try faults(#"{"faults": [{"times": 1, "stall": true}]}"#))
            let first = await bench.transport.send(
                bench.push(to: bench.device(), deadline: .milliseconds(500))
            )
            #expect(first.isUnknown)
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
        }
    }

    @Test("a server error is to be tried again later")
    func serverError() async throws {
        try await APNsTestBench.run { bench in
            bench.simulator.play(
                try faults(
                    #"{"faults": [{"times": 1, "status": 503, "reason": "ServiceUnavailable"}]}"#
                )
            )
            let outcome = await bench.transport.send(bench.push(to: bench.device()))
            #expect(outcome == .retry(reason: "ServiceUnavailable", after: .seconds(900)))
        }
    }

    @Test("a server that is not there: to be tried again, with the reason")
    func noServer() async throws {
        try await APNsTestBench.run { bench in
            await bench.simulator.stop()
            let outcome = await bench.transport.send(
                bench.push(to: bench.device(), deadline: .seconds(5))
            )
            guard case .retry(let reason, _) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(reason.contains("\(bench.simulator.port)"))
        }
    }

    @Test("the connection is opened again after it was cut while nothing was under way")
    func reconnect() async throws {
        try await APNsTestBench.run { bench in
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            await bench.simulator.dropConnections()
            while await bench.transport.statistics().connections > 0 {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
            #expect(await bench.transport.statistics().connectionsOpened == 2)
        }
    }

    @Test("faults by chance repeat with the seed, and every push is accounted for")
    func randomFaults() async throws {
        try await APNsTestBench.run { bench in
            bench.simulator.play(
                try faults(
                    """
                    {"seed": 5, "faults": [
                      {"probability": 0.1, "status": 410, "reason": "Unregistered"},
                      {"probability": 0.1, "status": 429, "reason": "TooManyRequests"}]}
                    """
                )
            )
            let outcomes = await bench.sendAll(
                (0..<300).map { _ in bench.push(to: bench.device()) }
            )
            let retired = outcomes.filter { $0.rejection?.consequence == .retireToken }.count
            let waiting = outcomes.filter { if case .retry = $0 { true } else { false } }.count
            let accepted = outcomes.filter(\.isAccepted).count
            #expect(retired > 10 && waiting > 10)
            #expect(retired + waiting + accepted == 300)
            #expect(bench.simulator.acceptedCount == accepted)
        }
    }
}
