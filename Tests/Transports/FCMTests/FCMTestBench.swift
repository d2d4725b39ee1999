import FCM
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import Ports
import PushHTTP
import PushTesting
import _CryptoExtras

/// A simulated Firebase, and a client that trusts it.
struct FCMTestBench: PushBench {
    static let project = "fires-1234"
    /// Making RSA keys is slow, so the tests share one; the other is for the wrong account.
    static let keys = Result {
        try (0..<2).map { _ in
            try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        }
    }

    let simulator: FCMSimulator
    let transport: FCMTransport

    static func run(
        style: FCMConfiguration.Style = .notification,
        simulator configuration: GatewayConfiguration = GatewayConfiguration(),
        limits: PushHTTPLimits = PushHTTPLimits(),
        credentials: FCMCredentialLookup? = nil,
        _ body: (FCMTestBench) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let simulator = try await FCMSimulator.start(
            configuration,
            eventLoops: eventLoops,
            logger: logger
        )
        let account = try FCMCredentials(
            serviceAccount: simulator.makeServiceAccount(
                project: Self.project,
                privateKeyPEM: Self.keys.get()[0]
            )
        )
        let server = PushHTTPEndpoint(
            host: simulator.host,
            port: simulator.port,
            security: .tls(trust: .authorities(pem: simulator.authorityPEM), identity: nil)
        )
        let transport = try FCMTransport(
            configuration: FCMConfiguration(
                server: server,
                tokenServer: server,
                style: style,
                channelID: "offers",
                limits: limits,
                // The ramp has tests of its own.
                fullRate: 1_000_000
            ),
            credentials: credentials ?? { _ in account },
            eventLoops: eventLoops,
            logger: logger
        )
        try await running {
            try await body(FCMTestBench(simulator: simulator, transport: transport))
        } cleanUp: {
            await transport.shutDown(grace: .milliseconds(500))
            await simulator.stop()
        }
    }

    func push(
        to token: String,
        options: DeliveryOptions = DeliveryOptions(),
        _ change: (inout PushMessage) -> Void = { _ in }
    ) -> OutgoingPush {
        var message = PushMessage(title: "狼煙", body: "The fire is lit.")
        change(&message)
        return OutgoingPush(
            dispatch: DispatchID(UUID()),
            sendID: SendID(42),
            address: .fcm(token: token, app: AppID(1)),
            registeredAt: .distantPast,
            message: message,
            options: options,
            deadline: .seconds(60)
        )
    }
}
