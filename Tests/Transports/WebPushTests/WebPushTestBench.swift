import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import Ports
import PushHTTP
import PushTesting
import WebPush

/// A simulated push service with its browsers, and a client that trusts it.
struct WebPushTestBench: PushBench {
    let simulator: WebPushSimulator
    let transport: WebPushTransport
    let key: VAPIDKey

    static func run(
        contact: String = "mailto:operator@example.com",
        simulator configuration: GatewayConfiguration = GatewayConfiguration(),
        _ body: (WebPushTestBench) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let simulator = try await WebPushSimulator.start(
            configuration,
            eventLoops: eventLoops,
            logger: logger
        )
        let key = VAPIDKey()
        let credentials = WebPushCredentials(
            privateKey: key.privateKey,
            contact: contact,
            site: "https://shop.example.jp/"
        )
        let transport = WebPushTransport(
            policy: WebPushEndpointPolicy(
                simulators: [simulator.origin: .authorities(pem: simulator.authorityPEM)]
            ),
            credentials: { _ in credentials },
            eventLoops: eventLoops,
            logger: logger
        )
        let bench = WebPushTestBench(simulator: simulator, transport: transport, key: key)
        try await running {
            try await body(bench)
        } cleanUp: {
            await transport.shutDown(grace: .milliseconds(500))
            await simulator.stop()
        }
    }

    func push(
        to subscription: SimulatedSubscription,
        options: DeliveryOptions = DeliveryOptions(),
        _ change: (inout PushMessage) -> Void = { _ in }
    ) -> OutgoingPush {
        var message = PushMessage(title: "狼煙", body: "The fire is lit.")
        change(&message)
        return OutgoingPush(
            dispatch: DispatchID(UUID()),
            sendID: SendID(42),
            address: .webPush(
                app: AppID(1),
                endpoint: subscription.endpoint,
                publicKey: subscription.publicKey,
                authenticationSecret: subscription.authenticationSecret
            ),
            registeredAt: .distantPast,
            message: message,
            options: options,
            deadline: .seconds(60)
        )
    }
}
