import APNs
import Crypto
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import Ports
import PushHTTP
import PushTesting

/// A simulator, a client that trusts it, and one app with a signing key.
struct APNsTestBench: PushBench {
    static let bundleID = "jp.example.fires"
    static let teamID = "TEAM123456"
    static let keyID = "KEY1234567"

    let simulator: APNsSimulator
    let transport: APNsTransport
    let key: P256.Signing.PrivateKey

    /// Runs `body` with a fresh simulator and client, and stops both.
    static func run(
        _ configuration: APNsSimulator.Configuration = APNsSimulator.Configuration(),
        limits: PushHTTPLimits = quickLimits,
        registersKey: Bool = true,
        now: @escaping @Sendable () -> Date = { Date() },
        credentials: APNsCredentialLookup? = nil,
        _ body: (APNsTestBench) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let simulator = try await APNsSimulator.start(
            configuration,
            eventLoops: eventLoops,
            logger: logger
        )
        let key = P256.Signing.PrivateKey()
        if registersKey {
            simulator.register(
                try APNsSigningKey(
                    teamID: teamID,
                    keyID: keyID,
                    publicKeyPEM: key.publicKey.pemRepresentation
                )
            )
        }
        let pem = key.pemRepresentation
        func server(_ port: Int) -> APNsConfiguration.Server {
            APNsConfiguration.Server(
                host: simulator.host,
                port: port,
                trust: .authorities(pem: simulator.authorityPEM)
            )
        }
        let transport = APNsTransport(
            configuration: APNsConfiguration(
                servers: [
                    .production: server(simulator.port), .sandbox: server(simulator.sandboxPort),
                ],
                limits: limits,
                // A test's own look-up is asked for every push.
                credentialRefresh: credentials == nil ? .seconds(30) : .zero
            ),
            credentials: credentials ?? { _, _ in
                .token(keyID: keyID, teamID: teamID, privateKeyPEM: pem)
            },
            eventLoops: eventLoops,
            logger: logger,
            now: now
        )
        let bench = APNsTestBench(simulator: simulator, transport: transport, key: key)
        try await running {
            try await body(bench)
        } cleanUp: {
            await transport.shutDown(grace: .milliseconds(500))
            await simulator.stop()
        }
    }

    /// Limits that do not keep a test waiting.
    static var quickLimits: PushHTTPLimits {
        var limits = PushHTTPLimits()
        limits.firstBackOff = .milliseconds(10)
        limits.maxBackoff = .milliseconds(100)
        limits.failuresBeforeGivingUp = 50
        return limits
    }

    func device(_ environment: APNsEnvironment = .production) -> String {
        simulator.registerDevice(bundleID: Self.bundleID, environment: environment)
    }

    func push(
        to token: String,
        environment: APNsEnvironment = .production,
        bundleID: String = APNsTestBench.bundleID,
        registeredAt: Date = Date(timeIntervalSince1970: 1_700_000_000),
        deadline: Duration = .seconds(60),
        options: DeliveryOptions = DeliveryOptions(),
        _ change: (inout PushMessage) -> Void = { _ in }
    ) -> OutgoingPush {
        var message = PushMessage(title: "狼煙", body: "The fire is lit.")
        change(&message)
        return OutgoingPush(
            dispatch: DispatchID(UUID()),
            sendID: SendID(42),
            address: .apns(token: token, topic: bundleID, environment: environment),
            registeredAt: registeredAt,
            message: message,
            options: options,
            deadline: deadline
        )
    }
}
