import Model
import Ports
import Synchronization

/// The part of one of several servers in what all of them may do together, such as the requests that a key
/// allows: requests and pushes are spread evenly over those that take them, so that each takes an equal part.
package final class ServerShare: Sendable {
    private struct State {
        var servers = 1
        var counts: [ServerRole: Int] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Number of working servers, at least this one.
    package var servers: Int { state.withLock(\.servers) }

    /// Number of working servers that have a role, at least this one.
    package func servers(in role: ServerRole) -> Int {
        state.withLock { max(1, $0.counts[role] ?? 0) }
    }

    /// Call after each sign of life with the servers that work.
    package func set(_ servers: [WorkingServer]) {
        var counts: [ServerRole: Int] = [:]
        for role in servers.flatMap(\.roles) { counts[role, default: 0] += 1 }
        state.withLock { $0 = State(servers: max(1, servers.count), counts: counts) }
    }
}
