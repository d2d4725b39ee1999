import Foundation

/// When a push that was not taken is tried again; a function of attempt, answer and time.
package struct RetryPolicy: Sendable {
    /// The pause after the first attempt; each further one doubles it.
    package var firstPause: TimeInterval = 1
    /// The longest pause: Apple asks for about 15 minutes after a server's error.
    package var longestPause: TimeInterval = 900
    /// How often a push is tried before it is given up.
    package var attemptsMax = 12

    package init() {}

    /// The time of the next attempt, or `nil` to give up.
    ///
    /// - Parameters:
    ///   - attempts: How often it was tried, at least 1.
    ///   - requested: The pause the provider asks for; never shortened.
    ///   - expiration: When the message is no longer worth sending.
    ///   - jitter: A random number from 0 to 1 that spreads the attempts of many pushes.
    package func nextAttempt(
        afterAttempts attempts: Int,
        requested: Duration?,
        expiration: Date?,
        now: Date,
        jitter: Double
    ) -> Date? {
        guard attempts < attemptsMax else { return nil }
        let doubled = firstPause * pow(2, Double(max(0, attempts - 1)))
        // Between half and all of the pause, so that pushes that failed together do not return
        // together.
        let own = min(doubled, longestPause) * (0.5 + jitter / 2)
        let pause = max(own, requested.map { $0 / .seconds(1) } ?? 0)
        let next = now.addingTimeInterval(pause)
        if let expiration, next >= expiration { return nil }
        return next
    }
}
