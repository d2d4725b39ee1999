import Foundation
import Logging
import Model
import NIOCore
import Synchronization

/// A simulator of Apple's push service: a real HTTP/2 server over TLS with Apple's documented
/// rules.
///
/// It knows the signing keys and devices registered with it, responds with Apple's statuses and
/// reasons, passes accepted pushes to virtual devices, and records them.
package final class APNsSimulator: GatewaySimulator {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        /// The port for production, or for both environments if `sandboxPort` is `nil`; 0 chooses a
        /// free one.
        package var port = 0
        /// A separate port for the sandbox; the first then accepts production tokens only.
        package var sandboxPort: Int?
        /// Maximum number of streams on an authorized connection; before that, one.
        package var streamLimit = 1000
        /// Maximum number of remembered pushes.
        package var recordLimit = 10_000
        /// The file to which every accepted push is written, one per line.
        package var recordFile: String?
        /// The file for the certificate that clients must trust.
        package var authorityFile: URL?
        /// Whether a push is stored for a device without a listener, as in Apple's service.
        package var keepsForOfflineDevices = true
        /// Maximum number of stored pushes for all devices together; the oldest are dropped.
        package var keptLimit = 20_000
        /// Whether any well-formed device token is accepted, for senders with their own devices.
        package var acceptsAnyDevice = false
        /// Whether any well-formed provider token is accepted, for senders with their own keys.
        package var acceptsAnyKey = false
        /// Maximum number of different provider tokens on one connection within twenty minutes.
        package var providerTokensPerConnection = 3
        /// Maximum number of provider tokens of a team on all connections together; `nil` means no
        /// limit.
        package var providerTokensPerTeam: Int?
        package var faults = FaultScript()
        package var limits = GatewayLimits()

        package init() {}
    }

    package let site: RunningGateway<SimulatedPush>
    private let service: APNsSimulatorService

    private init(service: APNsSimulatorService, site: RunningGateway<SimulatedPush>) {
        self.service = service
        self.site = site
    }

    /// Starts the simulator; it runs until `stop`.
    package static func start(
        _ configuration: Configuration = Configuration(),
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> APNsSimulator {
        let desk = SimulatedGateway<SimulatedPush>(
            recordLimit: configuration.recordLimit,
            keepsForOffline: configuration.keepsForOfflineDevices,
            keptLimit: configuration.keptLimit,
            faults: configuration.faults,
            now: now
        )
        let service = APNsSimulatorService(
            configuration,
            desk: desk,
            recordFile: try configuration.recordFile.map(RecordFile.init(path:))
        )
        let site = try await RunningGateway.open(
            host: configuration.host,
            ports: [configuration.port] + (configuration.sandboxPort.map { [$0] } ?? []),
            service: service,
            limits: configuration.limits,
            authorityFile: configuration.authorityFile,
            desk: desk,
            eventLoops: eventLoops,
            logger: logger
        )
        let simulator = APNsSimulator(service: service, site: site)
        if simulator.sandboxPort != simulator.port {
            service.separateEnvironments(
                production: simulator.port,
                sandbox: simulator.sandboxPort
            )
        }
        return simulator
    }

    /// The port for sandbox pushes; production pushes use `port`, which may be the same.
    package var sandboxPort: Int { site.servers[site.servers.count - 1].port }

    // MARK: - Keys and devices

    /// Registers a provider's signing key.
    package func register(_ key: APNsSigningKey) {
        service.state.withLock { $0.judge.register(key) }
    }

    package func revokeKey(teamID: String, keyID: String) {
        service.state.withLock { $0.judge.revoke(teamID: teamID, keyID: keyID) }
    }

    /// Creates a push certificate like Apple's for an app.
    package func makePushCertificate(
        bundleID: String,
        environments: PushCertificateEnvironments = [.production, .sandbox],
        expires: Date? = nil
    ) throws -> SimulatorIdentity {
        try site.authority.makePushCertificate(
            bundleID: bundleID,
            environments: environments,
            expires: expires
        )
    }

    /// Registers a device for an app's pushes, as iOS does for the app; returns its device token in
    /// hexadecimal.
    package func registerDevice(bundleID: String, environment: APNsEnvironment) -> String {
        let token = APNsDeviceRegistry.makeToken()
        registerDevice(token: token, bundleID: bundleID, environment: environment)
        return token
    }

    /// Registers a device with an existing token.
    package func registerDevice(token: String, bundleID: String, environment: APNsEnvironment) {
        service.state.withLock { state in
            state.devices.register(
                token.lowercased(),
                bundleID: bundleID,
                environment: environment
            )
        }
    }

    /// Invalidates a token, as when the app is removed.
    ///
    /// - Parameters:
    ///   - reason: `Unregistered`, or `ExpiredToken`.
    ///   - date: The date in the 410 response; `nil` means now.
    package func unregisterDevice(
        token: String,
        reason: String = "Unregistered",
        at date: Date? = nil
    ) {
        let date = date ?? site.desk.now()
        service.state.withLock { state in
            state.devices.retire(token.lowercased(), reason: reason, at: date)
        }
        site.desk.forget(token.lowercased())
    }

    /// The pushes for a device from now on, preceded by the one stored while there was no listener.
    package func pushes(for deviceToken: String) -> AsyncStream<SimulatedPush> {
        site.desk.pushes(for: deviceToken.lowercased())
    }
}
