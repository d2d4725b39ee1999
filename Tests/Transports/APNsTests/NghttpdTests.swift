import APNs
import Crypto
import Foundation
import Logging
import Model
import NIOPosix
import Ports
import PushHTTP
import PushTesting
import Testing

@Suite(
    "A server by others, nghttpd, answers our client",
    .enabled(if: Nghttpd.isInstalled, "nghttpd is not installed")
)
struct NghttpdTests {
    private static let token = String(repeating: "ab", count: 32)

    private func run(
        streamLimit: Int,
        _ body: (APNsTransport, Nghttpd) async throws -> Void
    ) async throws {
        try await Nghttpd.run(token: Self.token, streamLimit: streamLimit) { server in
            var limits = APNsTestBench.quickLimits
            limits.connections = 1
            let key = P256.Signing.PrivateKey().pemRepresentation
            let transport = APNsTransport(
                configuration: APNsConfiguration(
                    servers: [
                        .production: APNsConfiguration.Server(
                            host: "localhost",
                            port: server.port,
                            trust: .authorities(pem: server.authorityPEM)
                        )
                    ],
                    limits: limits
                ),
                credentials: { _, _ in
                    .token(keyID: "KEY1234567", teamID: "TEAM123456", privateKeyPEM: key)
                },
                eventLoops: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            try await running {
                try await body(transport, server)
            } cleanUp: {
                await transport.shutDown(grace: .milliseconds(500))
            }
        }
    }

    private func push(to token: String = token) -> OutgoingPush {
        OutgoingPush(
            dispatch: DispatchID(UUID()),
            sendID: SendID(42),
            address: .apns(token: token, topic: "jp.example.fires", environment: .production),
            registeredAt: .distantPast,
            message: PushMessage(title: "狼煙", body: "The fire is lit."),
            options: DeliveryOptions(),
            deadline: .seconds(60)
        )
    }

    private func sendAll(_ count: Int, _ transport: APNsTransport) async -> [PushOutcome] {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await transport.send(push()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("2,000 pushes over one connection, however few streams it allows", arguments: [10, 500])
    func many(streamLimit: Int) async throws {
        try await run(streamLimit: streamLimit) { transport, _ in
            let outcomes = await sendAll(2000, transport)
            #expect(outcomes.count(where: \.isAccepted) == 2000)
            let statistics = await transport.statistics()
            #expect(statistics.connectionsOpened == 1)
            #expect(statistics.resent == 0)
        }
    }

    @Test("an answer that is not Apple's is judged by its status")
    func otherAnswer() async throws {
        try await run(streamLimit: 100) { transport, _ in
            let outcome = await transport.send(push(to: String(repeating: "cd", count: 32)))
            #expect(outcome.rejection?.reason == "HTTP 404")
            #expect(outcome.rejection?.consequence == .fixApp)
        }
    }

    @Test("when it is killed with pushes in flight, each of them has an outcome")
    func killed() async throws {
        try await run(streamLimit: 500) { transport, server in
            #expect(await transport.send(push()).isAccepted)
            server.pause()
            async let sent = sendAll(3000, transport)
            while await transport.statistics().inFlight < 100 {
                try await Task.sleep(for: .milliseconds(10))
            }
            server.kill()
            let outcomes = await sent
            #expect(outcomes.count == 3000)
            #expect(outcomes.allSatisfy { $0.rejection == nil })
            #expect(outcomes.contains { !$0.isAccepted })
        }
    }
}
