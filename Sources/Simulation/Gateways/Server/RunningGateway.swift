import Foundation
import Logging
import NIOCore

/// The running parts of a simulated service: its sockets, its authority and its desk.
package final class RunningGateway<Item: GatewayItem>: Sendable {
    let servers: [GatewayServer]
    let authority: SimulatorAuthority
    let desk: SimulatedGateway<Item>

    private init(
        servers: [GatewayServer],
        authority: SimulatorAuthority,
        desk: SimulatedGateway<Item>
    ) {
        self.servers = servers
        self.authority = authority
        self.desk = desk
    }

    /// - Parameters:
    ///   - ports: One server for each; 0 chooses a free one.
    ///   - authorityFile: The file for the certificate that clients must trust, written before the
    ///     ports open.
    static func open(
        host: String,
        ports: [Int],
        service: any GatewayService,
        limits: GatewayLimits,
        authorityFile: URL?,
        desk: SimulatedGateway<Item>,
        eventLoops: any EventLoopGroup,
        logger: Logger
    ) async throws -> RunningGateway {
        let authority = try SimulatorAuthority(now: desk.now())
        if let authorityFile {
            try Data(authority.certificatePEM.utf8).write(to: authorityFile, options: .atomic)
        }
        let house = GatewayHouse(service: service, limits: limits)
        var servers: [GatewayServer] = []
        for port in ports {
            servers.append(
                try await GatewayServer.start(
                    host: host,
                    port: port,
                    authority: authority,
                    house: house,
                    eventLoops: eventLoops,
                    logger: logger
                )
            )
        }
        return RunningGateway(servers: servers, authority: authority, desk: desk)
    }

    /// A service on one port, with its own desk.
    static func open<Service: GatewayService>(
        _ configuration: GatewayConfiguration,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date,
        service make: (SimulatedGateway<Item>) -> Service
    ) async throws -> (RunningGateway, Service) {
        let desk = SimulatedGateway<Item>(
            recordLimit: configuration.recordLimit,
            faults: configuration.faults,
            now: now
        )
        let service = make(desk)
        let site = try await open(
            host: configuration.host,
            ports: [configuration.port],
            service: service,
            limits: configuration.limits,
            authorityFile: configuration.authorityFile,
            desk: desk,
            eventLoops: eventLoops,
            logger: logger
        )
        return (site, service)
    }

    func stop() async {
        for server in servers { await server.stop() }
        desk.close()
    }
}
