import Model
import NIOCore
import NIOPosix

/// Resolves a name and drops every address that is not public, so that a name cannot lead into the
/// server's own network. The client connects to exactly these addresses.
final class PublicResolver: Resolver, Sendable {
    private let eventLoop: any EventLoop
    private let threads: NIOThreadPool

    init(eventLoop: any EventLoop, threads: NIOThreadPool = .singleton) {
        self.eventLoop = eventLoop
        self.threads = threads
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        // The system's resolver prefers one address family; its one result serves both queries.
        threads.runIfActive(eventLoop: eventLoop) {
            let address = try SocketAddress.makeAddressResolvingHost(host, port: port)
            guard let found = address.ipAddress.flatMap(IPAddress.init),
                PublicNetwork.objection(to: found) == nil
            else { throw PushHTTPEndpointError.notPublic(host: host) }
            return [address]
        }
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture([])
    }

    func cancelQueries() {}
}
