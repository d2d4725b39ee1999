import NIOCore
import Synchronization

/// The open connections of a server.
final class GatewayConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    var count: Int { channels.withLock { $0.count } }

    func add(_ channel: any Channel) {
        let identity = ObjectIdentifier(channel)
        channels.withLock { $0[identity] = channel }
        channel.closeFuture.whenComplete { _ in
            _ = self.channels.withLock { $0.removeValue(forKey: identity) }
        }
    }

    func closeAll() async {
        for channel in channels.withLock({ Array($0.values) }) {
            // Without TLS's farewell: the peer sees a connection that simply ends.
            try? await channel.close(mode: .all)
        }
    }
}
