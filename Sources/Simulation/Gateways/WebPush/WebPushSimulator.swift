import Foundation
import Logging
import NIOCore
import Synchronization

/// A browser's push service in miniature, and the browsers that subscribe to it: a real server over
/// TLS with the rules of RFC 8030, 8291 and 8292.
package final class WebPushSimulator: GatewaySimulator {
    package let site: RunningGateway<SimulatedWebPush>
    private let service: WebPushSimulatorService

    private init(service: WebPushSimulatorService, site: RunningGateway<SimulatedWebPush>) {
        self.service = service
        self.site = site
    }

    /// Starts the simulator; it runs until `stop`.
    package static func start(
        _ configuration: GatewayConfiguration = GatewayConfiguration(),
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> WebPushSimulator {
        let (site, service) = try await RunningGateway.open(
            configuration,
            eventLoops: eventLoops,
            logger: logger,
            now: now
        ) {
            WebPushSimulatorService(desk: $0, streamLimit: configuration.streamLimit)
        }
        let simulator = WebPushSimulator(service: service, site: site)
        service.state.withLock { $0.origin = simulator.origin }
        return simulator
    }

    /// Subscribes a browser.
    ///
    /// - Parameter applicationServerKey: The site's VAPID public key, base64url; `nil` accepts
    ///   every key.
    package func subscribe(applicationServerKey: String?) -> SimulatedSubscription {
        service.subscribe(applicationServerKey: applicationServerKey)
    }

    /// Ends a subscription; pushes to it get the status 410.
    package func unsubscribe(endpoint: String) {
        service.unsubscribe(endpoint: endpoint)
    }
}
