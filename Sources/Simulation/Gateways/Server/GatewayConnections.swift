import NIOCore
import Synchronization

/// The open connections of a server.
final class GatewayConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    var count: Int { channels.withLock { $0.count } }

    /// Adds a connection; `false` if the limit is reached.
    func add(_ channel: any Channel, limit: Int) -> Bool {
        let identity = ObjectIdentifier(channel)
        let isTaken = channels.withLock { channels in
            guard channels.count < limit else { return false }
            channels[identity] = channel
            return true
        }
        guard isTaken else { return false }
        channel.closeFuture.whenComplete { _ in
            _ = self.channels.withLock { $0.removeValue(forKey: identity) }
        }
        return true
    }

    func closeAll() async {
        for channel in channels.withLock({ Array($0.values) }) {
            // Without TLS's close notification: the peer sees a connection that simply ends.
            try? await channel.close(mode: .all)
        }
    }
}
