/// How much a client takes on, and how it waits.
package struct PushHTTPLimits: Sendable {
    /// Connections to the endpoint; a further one is opened when the others are full.
    package var connections = 4
    /// Streams on one connection, below what the peer allows.
    package var streamsPerConnection = 1000
    /// Bytes of bodies in flight on one connection.
    package var bytesPerConnection = 8 * 1024 * 1024
    /// Requests that wait for a connection or a stream; more are refused at once.
    package var waiting = 20_000
    package var connectTimeout: Duration = .seconds(10)
    /// The first wait after a failed connection; it doubles with each further failure.
    package var firstBackOff: Duration = .milliseconds(500)
    package var longestBackOff: Duration = .seconds(60)
    /// After so many failed connections in a row, waiting requests are answered at once.
    package var failuresBeforeGivingUp = 3
    /// A quiet connection is pinged after this long.
    package var quietTime: Duration = .seconds(3600)
    /// One request at a time until an answer shows that the connection is authorised, as APNs
    /// wants it.
    package var firstRequestAlone = false

    package init() {}
}

/// What a client has done so far.
package struct PushHTTPStatistics: Sendable, Hashable {
    package init() {}

    package var connectionsOpened = 0
    package var connectionFailures = 0
    package var goAways = 0
    /// Pings to quiet connections.
    package var pings = 0
    /// Requests put on a second stream because the peer had not looked at the first.
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
