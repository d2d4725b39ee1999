import Foundation
import Logging
import NIOCore
import Synchronization

/// A browser's push service in miniature, and the browsers that subscribe to it: a real server over
/// TLS with the rules of RFC 8030, 8291 and 8292.
package final class WebPushSimulator: Sendable {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        /// 0 for a free one.
        package var port = 0
        package var recordLimit = 10_000
        package var faults = FaultScript()

        package init() {}
    }

    private let service: WebPushSimulatorService
    private let server: GatewayServer
    private let authority: SimulatorAuthority

    private init(
        service: WebPushSimulatorService,
        server: GatewayServer,
        authority: SimulatorAuthority
    ) {
        self.service = service
        self.server = server
        self.authority = authority
    }

    /// Starts the simulator; it runs until `stop`.
    package static func start(
        _ configuration: Configuration = Configuration(),
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> WebPushSimulator {
        let authority = try SimulatorAuthority(now: now())
        let service = WebPushSimulatorService(
            recordLimit: configuration.recordLimit,
            faults: configuration.faults,
            now: now
        )
        let server = try await GatewayServer.start(
            host: configuration.host,
            port: configuration.port,
            authority: authority,
            service: service,
            eventLoops: eventLoops,
            logger: logger
        )
        service.state.withLock { $0.origin = server.origin }
        return WebPushSimulator(service: service, server: server, authority: authority)
    }

    package func stop() async {
        await server.stop()
        for stream in service.state.withLock({ $0.mailbox.close() }) { stream.finish() }
    }

    /// The authority that vouches for the simulator's certificate, as PEM.
    package var authorityPEM: String { authority.certificatePEM }
    package var host: String { server.host }
    package var port: Int { server.port }
    /// Scheme, host and port, with which every endpoint begins.
    package var origin: String { server.origin }

    /// Subscribes a browser.
    ///
    /// - Parameter applicationServerKey: the site's VAPID public key, base64url; nil leaves the
    ///   subscription open to every key.
    package func subscribe(applicationServerKey: String?) -> SimulatedSubscription {
        service.subscribe(applicationServerKey: applicationServerKey)
    }

    /// Ends a subscription; pushes to it are answered 410.
    package func unsubscribe(endpoint: String) {
        service.unsubscribe(endpoint: endpoint)
    }

    /// The pushes for a subscription from now on, led by those that were kept while nobody
    /// listened.
    package func pushes(for endpoint: String) -> AsyncStream<SimulatedWebPush> {
        service.pushes(for: endpoint)
    }

    /// The accepted pushes that are still remembered, oldest first.
    package var accepted: [SimulatedWebPush] { service.state.withLock { $0.mailbox.records } }
    package var acceptedCount: Int { service.state.withLock { $0.mailbox.acceptedCount } }

    /// The accepted pushes as JSON, for reading from outside.
    package var acceptedJSON: [UInt8] {
        RecordText.json(accepted.map(SimulatedWebPush.Record.init))
    }

    /// Plays another fault script from now on.
    package func play(_ script: FaultScript) {
        service.faults.replace(script, at: service.now())
    }

    /// Cuts every open connection.
    package func dropConnections() async {
        await server.dropConnections()
    }
}
