/// The limits of a client before and after authentication.
package struct FrontSettings: Sendable, Hashable {
    /// Maximum number of concurrent connections.
    package var connections = 4_096
    /// Timeout of the head of a request from its first byte, in seconds; on a new connection from
    /// its start.
    package var headSeconds = 10
    /// Maximum time that a client may be silent within a body, or between two requests, in seconds.
    package var idleSeconds = 60
    /// Maximum time that the server waits for one body in total, in seconds.
    package var bodySeconds = 120
    /// Maximum time in which a client must read a part of its response, in seconds.
    package var unreadSeconds = 60
    /// Minimum rate of a body after a grace period, in bytes per second.
    package var bodyRate = 1_000
    /// Maximum size of all bodies in memory, in bytes.
    package var bodyBudget = 40 << 20
    /// Maximum time from the request to stop until the process ends, in seconds.
    package var stopSeconds = 10

    /// Grace period in which a body may arrive at any rate, in seconds.
    package static let grace = 10
    /// How long the rest of a body is read after the response, in seconds, so that the client can
    /// read the response before the connection is closed.
    package static let lingering = 5
    package init() {}
}
