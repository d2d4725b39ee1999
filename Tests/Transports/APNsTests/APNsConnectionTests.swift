import APNs
import Crypto
import Foundation
import Gateways
import Logging
import Model
import NIOCore
import NIOPosix
import Ports
import PushHTTP
import PushTesting
import Synchronization
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
            let end = ContinuousClock.now + .seconds(600)
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

    @Test("a quiet connection whose key was replaced is closed, and the new one sends")
    func replacedKey() async throws {
        let second = P256.Signing.PrivateKey()
        let holder = Holder()
        var limits = APNsTestBench.quickLimits
        // What waits for the connection attempt to time out keeps nothing alive any more.
        limits.connectTimeout = .seconds(1)
        try await APNsTestBench.run(limits: limits, credentials: { _, _ in holder.value }) {
            bench in
            bench.simulator.register(
                try APNsSigningKey(
                    teamID: APNsTestBench.teamID,
                    keyID: "KEY7654321",
                    publicKeyPEM: second.publicKey.pemRepresentation
                )
            )
            for (keyID, key) in [(APNsTestBench.keyID, bench.key), ("KEY7654321", second)] {
                holder.value = .token(
                    keyID: keyID,
                    teamID: APNsTestBench.teamID,
                    privateKeyPEM: key.pemRepresentation
                )
                let outcome = await bench.transport.send(bench.push(to: bench.device()))
                #expect(outcome.isAccepted, "\(keyID): \(outcome)")
                try await Task.sleep(for: .milliseconds(2200))
            }
            let end = ContinuousClock.now + .seconds(600)
            while bench.simulator.openConnections > 1, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(bench.simulator.openConnections == 1)
            #expect(await bench.transport.send(bench.push(to: bench.device())).isAccepted)
        }
    }

    @Test("a connection whose handshake came too late carries no push, which would be lost with it")
    func lateHandshake() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let simulator = try await APNsSimulator.start(
            APNsSimulator.Configuration(),
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
        let relay = try await HoldingRelay.start(to: simulator.port)
        var limits = APNsTestBench.quickLimits
        limits.connectTimeout = .seconds(1)
        let client = try PushHTTPClient(
            endpoint: PushHTTPEndpoint(
                host: simulator.host,
                port: relay.port,
                security: .tls(trust: .authorities(pem: simulator.authorityPEM), identity: nil)
            ),
            limits: limits,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            logger: logger
        )
        let request = PushHTTPRequest(path: "/", sharedHeaders: SharedHeaders([]), body: [])
        async let result = client.send(request, deadline: .seconds(600))
        // The first connection is given up, and another one is on its way.
        while await client.currentStatistics().connectionFailures < 1 {
            try await Task.sleep(for: .milliseconds(10))
        }
        relay.release()
        guard case .response = await result else {
            Issue.record("\(await result)")
            return
        }
        await client.shutDown(grace: .zero)
        try await relay.stop()
        await simulator.stop()
    }

    @Test("a server that accepts and says nothing is left again, and no socket stays open")
    func silentServer() async throws {
        let sockets = Sockets()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                sockets.opened()
                channel.closeFuture.whenComplete { _ in sockets.closed() }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        var limits = APNsTestBench.quickLimits
        limits.connectTimeout = .seconds(1)
        limits.failuresBeforeGivingUp = 3
        let authority = try SimulatorAuthority(now: Date())
        let client = try PushHTTPClient(
            endpoint: PushHTTPEndpoint(
                host: "127.0.0.1",
                port: try #require(server.localAddress?.port),
                security: .tls(
                    trust: .authorities(pem: authority.certificatePEM),
                    identity: nil
                )
            ),
            limits: limits,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let request = PushHTTPRequest(
            path: "/",
            sharedHeaders: SharedHeaders([]),
            body: []
        )
        let result = await client.send(request, deadline: .seconds(600))
        guard case .notSent(let reason, _) = result else {
            Issue.record("\(result)")
            return
        }
        // The handshake, or on a busy machine already the connection.
        #expect(reason.contains("the server did not answer"))
        await client.shutDown(grace: .zero)
        let end = ContinuousClock.now + .seconds(600)
        while sockets.open > 0 || sockets.total < 3, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(sockets.open == 0)
        #expect(sockets.total >= 3)
        try await server.close()
    }
}

/// Counts a server's connections.
private final class Sockets: Sendable {
    private let counts = Mutex((open: 0, total: 0))

    var open: Int { counts.withLock { $0.open } }
    var total: Int { counts.withLock { $0.total } }

    func opened() {
        counts.withLock { counts in
            counts.open += 1
            counts.total += 1
        }
    }

    func closed() { counts.withLock { $0.open -= 1 } }
}
