/// How many requests of a kind a key may make.
package struct RateRule: Sendable, Hashable {
    /// Requests at once; this many come back within `seconds`.
    package var requests: Int
    package var seconds: Double

    package init(requests: Int, seconds: Double) {
        self.requests = requests
        self.seconds = seconds
    }
}

/// The limits of the REST API; those of requests are for each key. The defaults protect the server from a client that
/// has gone wild, not from a busy one.
package struct RateLimits: Sendable, Hashable {
    /// `/users/track`.
    package var track = RateRule(requests: 30_000, seconds: 3)
    /// What the SDK of one app may ask, on all its devices together.
    package var sdk = RateRule(requests: 30_000, seconds: 3)
    /// Endpoints that search through all events.
    package var export = RateRule(requests: 1_000, seconds: 60)
    /// Messages to users who are not named, one by one. Such a request counts as one of the
    /// others too.
    package var broadcast = RateRule(requests: 250, seconds: 60)
    /// Everything else, together.
    package var other = RateRule(requests: 250_000, seconds: 3600)

    /// The largest body, in bytes.
    package var bodyBytes = 4 * 1024 * 1024

    package init() {}
}
