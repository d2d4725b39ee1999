import Foundation
import Logging
import NIOCore
import Synchronization

/// Firebase Cloud Messaging in miniature: the HTTP v1 service and the token server beside it, over
/// TLS, with Google's documented rules.
package final class FCMSimulator: GatewaySimulator {
    package let site: GatewaySite<SimulatedFCMMessage>
    private let service: FCMSimulatorService

    private init(service: FCMSimulatorService, site: GatewaySite<SimulatedFCMMessage>) {
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
        let (site, service) = try await GatewaySite.open(
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

    /// Makes a service account for a project: its JSON file, with this simulator's token server.
    ///
    /// - Parameter privateKeyPEM: an RSA key; nil makes a new one, which takes a while.
    package func makeServiceAccount(
        project: String,
        privateKeyPEM: String? = nil
    ) throws -> [UInt8] {
        try service.makeServiceAccount(project: project, privateKeyPEM: privateKeyPEM)
    }

    /// Makes every access token end, as after an hour.
    package func expireAccessTokens() {
        service.state.withLock { $0.accounts.expireTokens() }
    }

    /// How many access tokens were given out since the start.
    package var accessTokenCount: Int { service.state.withLock { $0.accounts.tokenCount } }

    /// Registers an Android device for a project; the answer is its registration token.
    ///
    /// - Parameter token: one that the device has already.
    @discardableResult
    package func registerDevice(project: String, token: String? = nil) -> String {
        service.registerDevice(project: project, token: token)
    }

    /// Makes a token dead, as when the app is removed.
    package func unregisterDevice(token: String) {
        service.unregisterDevice(token: token)
    }
}
