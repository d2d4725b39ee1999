/// The rate limit of a key for one kind of request.
package struct RateLimit: Sendable, Hashable {
    /// Maximum number of requests at once; this many become available again within `seconds`.
    package var requests: Int
    package var seconds: Double

    package init(requests: Int, seconds: Double) {
        self.requests = requests
        self.seconds = seconds
    }
}

/// The limits of the REST API; rate limits apply per key. The defaults protect the server from a
/// faulty client, not from a busy one.
package struct RateLimits: Sendable, Hashable {
    /// `/users/track`.
    package var track = RateLimit(requests: 30_000, seconds: 3)
    /// Requests of one app's SDK, on all its devices together.
    package var sdk = RateLimit(requests: 30_000, seconds: 3)
    /// Endpoints that search through all events.
    package var export = RateLimit(requests: 1_000, seconds: 60)
    /// Messages to users who are not named individually. Such a request also counts as one of
    /// `other`.
    package var broadcast = RateLimit(requests: 250, seconds: 60)
    /// Everything else, together.
    package var other = RateLimit(requests: 250_000, seconds: 3600)

    /// Maximum size of a body, in bytes.
    package var bodyBytes = 4 * 1024 * 1024

    package init() {}
}
