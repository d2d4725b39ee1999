import Synchronization

/// The part of one of several servers in what all of them may do together, such as the requests that a key
/// allows: requests and pushes are spread evenly, so that each takes an equal part.
package final class ServerShare: Sendable {
    private let count = Mutex(1)

    package init() {}

    /// Number of working servers, at least this one.
    package var servers: Int { count.withLock(\.self) }

    /// Call after each sign of life with the number of servers that work.
    package func set(servers: Int) { count.withLock { $0 = max(1, servers) } }
}
