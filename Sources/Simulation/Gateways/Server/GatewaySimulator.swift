import Foundation

/// The interface of every simulated service.
package protocol GatewaySimulator: Sendable {
    associatedtype Item: GatewayItem

    var site: RunningGateway<Item> { get }
}

extension GatewaySimulator {
    /// Stops the server and ends the streams of listening devices.
    package func stop() async { await site.stop() }

    /// The authority that vouches for the simulator's certificate, as PEM.
    package var authorityPEM: String { site.authority.certificatePEM }
    package var host: String { site.servers[0].host }
    package var port: Int { site.servers[0].port }
    /// Scheme, host and port.
    package var origin: String { site.servers[0].origin }
    package var openConnections: Int { site.servers.reduce(0) { $0 + $1.openConnections } }

    /// The items for a device from now on, preceded by those stored while there was no listener.
    ///
    /// A listener that does not read keeps the newest thousand.
    package func pushes(for address: String) -> AsyncStream<Item> {
        site.desk.pushes(for: address)
    }

    /// The remembered accepted items, oldest first.
    package var accepted: [Item] { site.desk.records }

    /// Number of items accepted since the start.
    package var acceptedCount: Int { site.desk.acceptedCount }

    /// The accepted items as JSON, for external readers.
    package var acceptedJSON: [UInt8] { RecordText.json(accepted.map(\.record)) }

    /// Plays another fault script from now on.
    package func play(_ script: FaultScript) { site.desk.play(script) }

    /// Closes every open connection abruptly.
    package func dropConnections() async {
        for server in site.servers { await server.dropConnections() }
    }
}
