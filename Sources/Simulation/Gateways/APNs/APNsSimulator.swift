import Foundation
import Logging
import Model
import NIOCore
import Synchronization

/// Apple's push service in miniature: a real HTTP/2 server over TLS with Apple's documented rules.
///
/// It knows the signing keys and devices that were registered with it, answers Apple's statuses
/// and reasons, hands accepted pushes to whoever plays the device, and records them.
package final class APNsSimulator: Sendable {
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
        /// Takes any well-formed device token, for senders with devices of their own.
        package var acceptsAnyDevice = false
        /// Takes any provider token that is well-formed, for senders with keys of their own.
        package var acceptsAnyKey = false
        /// How many different provider tokens of a team are taken within twenty minutes.
        package var providerTokensPerWindow = 3
        package var faults = FaultScript()

        package init() {}
    }

    private let service: APNsSimulatorService
    private let servers: [GatewayServer]
    private let authority: SimulatorAuthority

    package let host: String
    /// Where production pushes go (and sandbox pushes, unless they have a port of their own).
    package let port: Int
    package let sandboxPort: Int

    private init(
        service: APNsSimulatorService,
        servers: [GatewayServer],
        authority: SimulatorAuthority
    ) {
        self.service = service
        self.servers = servers
        self.authority = authority
        host = servers[0].host
        port = servers[0].port
        sandboxPort = servers[servers.count - 1].port
    }

    /// Starts the simulator; it runs until `stop`.
    package static func start(
        _ configuration: Configuration = Configuration(),
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> APNsSimulator {
        let authority = try SimulatorAuthority(now: now())
        let service = APNsSimulatorService(configuration, now: now)
        var servers: [GatewayServer] = []
        for port in [configuration.port] + (configuration.sandboxPort.map { [$0] } ?? []) {
            servers.append(
                try await GatewayServer.start(
                    host: configuration.host,
                    port: port,
                    authority: authority,
                    service: service,
                    eventLoops: eventLoops,
                    logger: logger
                )
            )
        }
        if servers.count == 2 {
            service.separateEnvironments(
                production: servers[0].port,
                sandbox: servers[1].port
            )
        }
        return APNsSimulator(service: service, servers: servers, authority: authority)
    }

    package func stop() async {
        for server in servers { await server.stop() }
        service.close()
    }

    /// The authority that vouches for the simulator's certificate, as PEM.
    package var authorityPEM: String { authority.certificatePEM }

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
        try authority.makePushCertificate(
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
        let date = date ?? service.now()
        service.state.withLock { state in
            state.devices.retire(token.lowercased(), reason: reason, at: date)
            state.mailbox.forget(token.lowercased())
        }
    }

    // MARK: - Accepted pushes

    /// The pushes for a device from now on, led by the one that was stored while nobody listened.
    ///
    /// A listener that does not read keeps the newest thousand.
    package func pushes(for deviceToken: String) -> AsyncStream<SimulatedPush> {
        service.pushes(for: deviceToken.lowercased())
    }

    /// The accepted pushes that are still remembered, oldest first.
    package var accepted: [SimulatedPush] { service.state.withLock { $0.mailbox.records } }

    /// How many pushes were accepted since the start.
    package var acceptedCount: Int { service.state.withLock { $0.mailbox.acceptedCount } }

    /// The accepted pushes as JSON, for reading from outside.
    package var acceptedJSON: [UInt8] { RecordText.json(accepted.map(SimulatedPush.Record.init)) }

    // MARK: - Faults

    /// Plays another fault script from now on.
    package func play(_ script: FaultScript) {
        service.faults.replace(script, at: service.now())
    }

    /// Cuts every open connection.
    package func dropConnections() async {
        for server in servers { await server.dropConnections() }
    }

    package var openConnections: Int { servers.reduce(0) { $0 + $1.openConnections } }
}
