import Foundation
import Logging
import NIOCore
import Synchronization

/// A simulator of Firebase Cloud Messaging: the HTTP v1 service and the token server, over TLS,
/// with Google's documented rules.
package final class FCMSimulator: GatewaySimulator {
    package let site: RunningGateway<SimulatedFCMMessage>
    private let service: FCMSimulatorService

    private init(service: FCMSimulatorService, site: RunningGateway<SimulatedFCMMessage>) {
        self.service = service
        self.site = site
    }

    /// Starts the simulator; it runs until `stop`.
    package static func start(
        _ configuration: GatewayConfiguration = GatewayConfiguration(),
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> FCMSimulator {
        let (site, service) = try await RunningGateway.open(
            configuration,
            eventLoops: eventLoops,
            logger: logger,
            now: now
        ) {
            FCMSimulatorService(desk: $0, streamLimit: configuration.streamLimit)
        }
        let simulator = FCMSimulator(service: service, site: site)
        service.state.withLock { $0.origin = simulator.origin }
        return simulator
    }

    /// Creates a service account for a project and returns its JSON file, with this simulator's
    /// token server.
    ///
    /// - Parameter privateKeyPEM: An RSA key; `nil` generates a new one, which takes a while.
    package func makeServiceAccount(
        project: String,
        privateKeyPEM: String? = nil
    ) throws -> [UInt8] {
        try service.makeServiceAccount(project: project, privateKeyPEM: privateKeyPEM)
    }

    /// Expires all access tokens, as after an hour.
    package func expireAccessTokens() {
        service.state.withLock { $0.accounts.expireTokens() }
    }

    /// Number of access tokens issued since the start.
    package var accessTokenCount: Int { service.state.withLock { $0.accounts.tokenCount } }

    /// Registers an Android device for a project and returns its registration token.
    ///
    /// - Parameter token: An existing token of the device.
    @discardableResult
    package func registerDevice(project: String, token: String? = nil) -> String {
        service.registerDevice(project: project, token: token)
    }

    /// Invalidates a token, as when the app is removed.
    package func unregisterDevice(token: String) {
        service.unregisterDevice(token: token)
    }
}
