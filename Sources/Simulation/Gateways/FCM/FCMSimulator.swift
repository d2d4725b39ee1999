import Foundation
import Logging
import NIOCore
import Synchronization

/// Firebase Cloud Messaging in miniature: the HTTP v1 service and the token server beside it, over
/// TLS, with Google's documented rules.
package final class FCMSimulator: Sendable {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        /// 0 for a free one.
        package var port = 0
        package var recordLimit = 10_000
        package var faults = FaultScript()

        package init() {}
    }

    private let service: FCMSimulatorService
    private let server: GatewayServer
    private let authority: SimulatorAuthority

    private init(
        service: FCMSimulatorService,
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
    ) async throws -> FCMSimulator {
        let authority = try SimulatorAuthority(now: now())
        let service = FCMSimulatorService(
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
        return FCMSimulator(service: service, server: server, authority: authority)
    }

    package func stop() async {
        await server.stop()
        for stream in service.state.withLock({ $0.mailbox.close() }) { stream.finish() }
    }

    /// The authority that vouches for the simulator's certificate, as PEM.
    package var authorityPEM: String { authority.certificatePEM }
    package var host: String { server.host }
    package var port: Int { server.port }

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

    /// Registers an Android device for a project; the answer is its registration token.
    package func registerDevice(project: String) -> String {
        service.registerDevice(project: project, token: nil)
    }

    /// Makes a token dead, as when the app is removed.
    package func unregisterDevice(token: String) {
        service.unregisterDevice(token: token)
    }

    /// The messages for a device from now on, led by those that were kept while nobody listened.
    package func pushes(for token: String) -> AsyncStream<SimulatedFCMMessage> {
        service.pushes(for: token)
    }

    /// The accepted messages that are still remembered, oldest first.
    package var accepted: [SimulatedFCMMessage] { service.state.withLock { $0.mailbox.records } }
    package var acceptedCount: Int { service.state.withLock { $0.mailbox.acceptedCount } }

    /// The accepted messages as JSON, for reading from outside.
    package var acceptedJSON: [UInt8] {
        RecordText.json(accepted.map(SimulatedFCMMessage.Record.init))
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
