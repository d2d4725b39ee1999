import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Testing

@Suite("What the client sends at once, and how it waits, has limits")
struct APNsLimitsTests {
    @Test("no more bytes are in flight than allowed, and everything arrives")
    func bytes() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.faults.latencyMilliseconds = 50
        var limits = APNsTestBench.quickLimits
        limits.connections = 1
        limits.bytesPerConnection = 10_000
        try await APNsTestBench.run(configuration, limits: limits) { bench in
            let pushes = (0..<60).map { _ in
                bench.push(to: bench.device()) { $0.body = String(repeating: "x", count: 3000) }
            }
            async let sent = bench.sendAll(pushes)
            var most = 0
            let end = ContinuousClock.now + .seconds(600)
            while bench.simulator.acceptedCount < 60, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
                most = max(most, await bench.transport.statistics().inFlight)
            }
            #expect(await sent.count(where: \.isAccepted) == 60)
            // Bodies of a little over 3,000 bytes: the fourth is let in below the limit.
            #expect((2...4).contains(most))
        }
    }

    @Test("what cannot wait is refused at once, to be tried again soon")
    func waiting() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.streamLimit = 1
        configuration.faults.latencyMilliseconds = 200
        var limits = APNsTestBench.quickLimits
        limits.connections = 1
        limits.waiting = 10
        try await APNsTestBench.run(configuration, limits: limits) { bench in
            let outcomes = await bench.sendAll((0..<40).map { _ in bench.push(to: bench.device()) })
            let accepted = outcomes.count(where: \.isAccepted)
            let refused = outcomes.count {
                if case .retry(let reason, .seconds(1)) = $0 {
                    reason.contains("waiting")
                } else {
                    false
                }
            }
            #expect(accepted >= 10)
            #expect(refused >= 1)
            #expect(accepted + refused == 40)
        }
    }

    @Test("the first request goes alone: no stream is refused, however many wait")
    func firstAlone() async throws {
        try await APNsTestBench.run { bench in
            let outcomes = await bench.sendAll(
                (0..<200).map { _ in bench.push(to: bench.device()) }
            )
            #expect(outcomes.count(where: \.isAccepted) == 200)
            let statistics = await bench.transport.statistics()
            #expect(statistics.resent == 0)
            #expect(statistics.connectionsOpened == 1)
        }
    }

    @Test("one token serves all apps of a key and both environments")
    func sharedToken() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.sandboxPort = 0
        // A second token would be refused with TooManyProviderTokenUpdates.
        configuration.providerTokensPerTeam = 1
        try await APNsTestBench.run(configuration) { bench in
            for bundleID in [APNsTestBench.bundleID, "com.other"] {
                for environment in APNsEnvironment.allCases {
                    let token = bench.simulator.registerDevice(
                        bundleID: bundleID,
                        environment: environment
                    )
                    let push = bench.push(
                        to: token,
                        environment: environment,
                        bundleID: bundleID
                    )
                    let outcome = await bench.transport.send(push)
                    #expect(outcome.isAccepted, "\(bundleID) \(environment): \(outcome)")
                }
            }
            // One pool for each environment, shared by the apps.
            #expect(await bench.transport.statistics().connectionsOpened == 2)
        }
    }

    @Test("the wait between connections doubles to a longest one, and is spread over its half")
    func backOff() {
        let backOff = ExponentialBackoff(first: .milliseconds(500), longest: .seconds(60))
        let full = (1...10).map { backOff.delay(afterFailures: $0, random: 1) }
        #expect(full.prefix(4) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
        #expect(full.suffix(2) == [.seconds(60), .seconds(60)])
        #expect(backOff.delay(afterFailures: 3, random: 0) == .seconds(1))
        #expect(backOff.delay(afterFailures: 1_000_000, random: 1) == .seconds(60))
    }
}

@Suite("Each push type goes to its topic with its headers")
struct APNsPushTypeTests {
    private func notification(_ type: APNsPushType, to token: String) -> APNsNotification {
        APNsNotification(
            id: UUID().uuidString.lowercased(),
            deviceToken: token,
            bundleID: APNsTestBench.bundleID,
            environment: .production,
            pushType: type,
            priority: type == .background ? 5 : 10,
            expiration: Date(timeIntervalSince1970: 2_000_000_000),
            collapseID: "one",
            payload: Array(#"{"aps":{"content-available":1}}"#.utf8)
        )
    }

    @Test("all of them are accepted with a signing key", arguments: APNsPushType.allCases)
    func types(type: APNsPushType) async throws {
        try await APNsTestBench.run { bench in
            let outcome = await bench.transport.send(
                notification(type, to: bench.device()),
                registeredAt: .distantPast,
                deadline: .seconds(60)
            )
            #expect(outcome.isAccepted, "\(outcome)")
            let arrived = try #require(bench.simulator.accepted.first)
            #expect(arrived.pushType == type.rawValue)
            #expect(arrived.topic == APNsTestBench.bundleID + type.topicSuffix)
            #expect(arrived.priority == (type == .background ? 5 : 10))
            #expect(arrived.expiration == Date(timeIntervalSince1970: 2_000_000_000))
            #expect(arrived.collapseID == "one")
        }
    }

    @Test(
        "Live Activities and location need a key; a certificate is refused before it is sent",
        .enabled(if: OpenSSL.isInstalled, "openssl is not installed")
    )
    func certificates() async throws {
        let holder = Holder()
        try await APNsTestBench.run(credentials: { _, _ in holder.value }) { bench in
            let identity = try bench.simulator.makePushCertificate(bundleID: APNsTestBench.bundleID)
            holder.value = .certificate(
                p12: try OpenSSL.p12(identity, password: nil),
                password: nil
            )
            for type in [APNsPushType.liveactivity, .location] {
                let outcome = await bench.transport.send(
                    notification(type, to: bench.device()),
                    registeredAt: .distantPast,
                    deadline: .seconds(60)
                )
                #expect(outcome.rejection?.consequence == .fixCredentials)
            }
            #expect(await bench.transport.statistics().connectionsOpened == 0)
        }
    }
}
