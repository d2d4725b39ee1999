/// The limits and timeouts of a client.
package struct PushHTTPLimits: Sendable {
    /// Maximum number of connections to the endpoint; a further one is opened when the others are
    /// full.
    package var connections = 4
    /// Maximum number of streams on one connection; the peer may allow fewer.
    package var streamsPerConnection = 1000
    /// Maximum number of bytes of bodies in flight on one connection.
    package var bytesPerConnection = 8 * 1024 * 1024
    /// Maximum number of requests that wait for a connection or a stream; more fail at once.
    package var waiting = 20_000
    package var connectTimeout: Duration = .seconds(10)
    /// The first delay after a failed connection; it doubles with each further failure.
    package var firstBackOff: Duration = .milliseconds(500)
    package var maxBackoff: Duration = .seconds(60)
    /// After this many consecutive failed connections, waiting requests fail at once.
    package var failuresBeforeGivingUp = 3
    /// Idle time after which a connection is pinged.
    package var quietTime: Duration = .seconds(3600)
    /// One request at a time until an answer shows that the connection is authorised, as APNs
    /// wants it.
    package var firstRequestAlone = false

    package init() {}
}

/// The counters of a client.
package struct PushHTTPStatistics: Sendable, Hashable {
    package init() {}

    package var connectionsOpened = 0
    package var connectionFailures = 0
    package var goAways = 0
    /// Pings sent on idle connections.
    package var pings = 0
    /// Requests sent again on another stream because the peer had not processed the first.
    package var resent = 0
    package var expired = 0
    package var waiting = 0
    package var inFlight = 0
    package var connections = 0

    package mutating func add(_ other: PushHTTPStatistics) {
        connectionsOpened += other.connectionsOpened
        connectionFailures += other.connectionFailures
        goAways += other.goAways
        pings += other.pings
        resent += other.resent
        expired += other.expired
        waiting += other.waiting
        inFlight += other.inFlight
        connections += other.connections
    }
}
