import Foundation

/// What every simulated service offers to its owner.
package protocol GatewaySimulator: Sendable {
    associatedtype Item: GatewayItem

    var site: GatewaySite<Item> { get }
}

extension GatewaySimulator {
    /// Stops the server and ends the streams of the devices that listen.
    package func stop() async { await site.stop() }

    /// The authority that vouches for the simulator's certificate, as PEM.
    package var authorityPEM: String { site.authority.certificatePEM }
    package var host: String { site.servers[0].host }
    package var port: Int { site.servers[0].port }
    /// Scheme, host and port.
    package var origin: String { site.servers[0].origin }
    package var openConnections: Int { site.servers.reduce(0) { $0 + $1.openConnections } }

    /// What comes for a device from now on, led by what was kept while nobody listened.
    ///
    /// A listener that does not read keeps the newest thousand.
    package func pushes(for address: String) -> AsyncStream<Item> {
        site.desk.pushes(for: address)
    }

    /// What was accepted and is still remembered, oldest first.
    package var accepted: [Item] { site.desk.records }

    /// How many were accepted since the start.
    package var acceptedCount: Int { site.desk.acceptedCount }

    /// What was accepted as JSON, for reading from outside.
    package var acceptedJSON: [UInt8] { RecordText.json(accepted.map(\.record)) }

    /// Plays another fault script from now on.
    package func play(_ script: FaultScript) { site.desk.play(script) }

    /// Cuts every open connection.
    package func dropConnections() async {
        for server in site.servers { await server.dropConnections() }
    }
}
