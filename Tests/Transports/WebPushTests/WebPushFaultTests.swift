import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Testing
import WebPush

@Suite("When a browser's service goes away in the middle, every push still has an outcome")
struct WebPushFaultTests {
    private var manyStreams: GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.streamLimit = 1000
        return configuration
    }

    private func send500(
        _ bench: WebPushTestBench,
        _ script: String
    ) async throws -> [PushOutcome] {
        let browser = bench.simulator.subscribe(applicationServerKey: nil)
        return try await bench.sendInto(script) { bench.push(to: browser) }
    }

    @Test("a GOAWAY with 500 in flight: all are accepted, none twice")
    func goAway() async throws {
        try await WebPushTestBench.run(simulator: manyStreams) { bench in
            let outcomes = try await send500(
                bench,
                #"{"latency_ms": 50, "faults": [{"skip": 250, "times": 1, "goaway": "bye"}]}"#
            )
            #expect(outcomes.count(where: \.isAccepted) == 500)
            #expect(bench.simulator.acceptedCount == 501)
            #expect(await bench.transport.statistics().goAways == 1)
        }
    }

    @Test("a cut connection with 500 in flight: accepted or unknown, none is forgotten")
    func cut() async throws {
        try await WebPushTestBench.run(simulator: manyStreams) { bench in
            let outcomes = try await send500(
                bench,
                #"{"latency_ms": 50, "faults": [{"skip": 250, "times": 1, "drop": true}]}"#
            )
            let accepted = outcomes.count(where: \.isAccepted)
            let unknown = outcomes.count(where: \.isUnknown)
            #expect(accepted + unknown == 500)
            #expect(unknown > 0)
            #expect(bench.simulator.acceptedCount - 1 >= accepted)
        }
    }

    @Test("an answer that is lost is unknown, and the same push replaces itself")
    func lostAnswer() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            // A push that finds no open connection before its deadline was not sent, which is
            // another outcome; so the connection is opened first.
            #expect(await bench.transport.send(bench.push(to: browser)).isAccepted)
            bench.simulator.play(
                try FaultScript(
                    json: Data(#"{"faults": [{"times": 1, "lose_answer": true}]}"#.utf8)
                )
            )
            var push = bench.push(to: browser)
            push.deadline = .seconds(3)
            let first = await bench.transport.send(push)
            #expect(first.isUnknown)
            push.deadline = .seconds(60)
            #expect(await bench.transport.send(push).isAccepted)
            #expect(bench.simulator.acceptedCount == 3)
            #expect(Set(bench.simulator.accepted.dropFirst().map(\.topic)).count == 1)
        }
    }

    @Test("a wrong key, contact or site is named before anything is sent")
    func credentials() {
        let key = VAPIDKey().privateKey
        let good = WebPushCredentials(
            privateKey: key,
            contact: "mailto:a@example.com",
            site: "https://example.com/"
        )
        #expect(good.problem == nil)
        for (change, field) in [
            (\WebPushCredentials.privateKey, "privateKey"), (\.contact, "contact"),
            (\.site, "site"),
        ] {
            var bad = good
            bad[keyPath: change] = "wrong"
            #expect(bad.problem?.field == field)
        }
    }
}
