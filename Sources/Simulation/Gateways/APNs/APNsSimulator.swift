import Foundation
import Logging
import Model
import NIOCore
import Synchronization

/// Apple's push service in miniature: a real HTTP/2 server over TLS with Apple's documented rules.
///
/// It knows the signing keys and devices that were registered with it, answers Apple's statuses
/// and reasons, hands accepted pushes to whoever plays the device, and records them.
package final class APNsSimulator: GatewaySimulator {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        /// The port for production, or for both environments without `sandboxPort`; 0 is free.
        package var port = 0
        /// A second port for the sandbox; the first then takes production tokens only.
        package var sandboxPort: Int?
        /// Streams on a connection once it is authorised; before that, one.
        package var streamLimit = 1000
        /// How many accepted pushes are remembered.
        package var recordLimit = 10_000
        /// Where every accepted push is written down, one line each.
        package var recordFile: String?
        /// Where the certificate is written that clients have to trust.
        package var authorityFile: URL?
        /// Whether a push waits for a device nobody listens for, as Apple's service has it.
        package var keepsForOfflineDevices = true
        /// How many wait, for all devices together; the oldest make room.
        package var keptLimit = 20_000
        /// Takes any well-formed device token, for senders with devices of their own.
        package var acceptsAnyDevice = false
        /// Takes any provider token that is well-formed, for senders with keys of their own.
        package var acceptsAnyKey = false
        /// How many different provider tokens are taken on one connection within twenty minutes.
        package var providerTokensPerConnection = 3
        /// How many are taken of one team on all connections together; nil for any number.
        package var providerTokensPerTeam: Int?
        package var faults = FaultScript()
        package var limits = GatewayLimits()

        package init() {}
    }

    package let site: GatewaySite<SimulatedPush>
    private let service: APNsSimulatorService

    private init(service: APNsSimulatorService, site: GatewaySite<SimulatedPush>) {
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
        let desk = GatewayDesk<SimulatedPush>(
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
        let site = try await GatewaySite.open(
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

    /// Where sandbox pushes go; production pushes go to `port`, which may be the same.
    package var sandboxPort: Int { site.servers[site.servers.count - 1].port }

    // MARK: - Keys and devices

    /// Lets a provider's signing key in.
    package func register(_ key: APNsSigningKey) {
        service.state.withLock { $0.judge.register(key) }
    }

    package func revokeKey(teamID: String, keyID: String) {
        service.state.withLock { $0.judge.revoke(teamID: teamID, keyID: keyID) }
    }

    /// Makes a push certificate like Apple's for an app.
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

    /// Registers a device for an app's pushes, as iOS does on behalf of the app; the answer is its
    /// device token in hex.
    package func registerDevice(bundleID: String, environment: APNsEnvironment) -> String {
        let token = APNsDeviceRegistry.makeToken()
        registerDevice(token: token, bundleID: bundleID, environment: environment)
        return token
    }

    /// Registers a device under a token it already has.
    package func registerDevice(token: String, bundleID: String, environment: APNsEnvironment) {
        service.state.withLock { state in
            state.devices.register(
                token.lowercased(),
                bundleID: bundleID,
                environment: environment
            )
        }
    }

    /// Makes a token dead, as when the app is removed.
    ///
    /// - Parameters:
    ///   - reason: `Unregistered`, or `ExpiredToken`.
    ///   - date: what the 410 answer says; now, if nil.
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

    /// The pushes for a device from now on, led by the one that was stored while nobody listened.
    package func pushes(for deviceToken: String) -> AsyncStream<SimulatedPush> {
        site.desk.pushes(for: deviceToken.lowercased())
    }
}
