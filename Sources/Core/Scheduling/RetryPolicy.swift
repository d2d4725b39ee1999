import Foundation

/// The time of the next attempt, as a function of attempts, response and time.
package struct RetryPolicy: Sendable {
    /// Delay after the first attempt, in seconds; it doubles with each further one.
    package var firstPause: TimeInterval = 1
    /// The longest pause: Apple asks for about 15 minutes after a server's error.
    package var maxPause: TimeInterval = 900
    /// Maximum number of attempts.
    package var maxAttempts = 12

    package init() {}

    /// The time of the next attempt, or `nil` to give up.
    ///
    /// - Parameters:
    ///   - attempts: Number of attempts so far, at least 1.
    ///   - requested: The delay that the provider requests; never shortened.
    ///   - expiration: The time after which the message is not sent.
    ///   - jitter: A random number from 0 to 1 that spreads the attempts of many pushes.
    package func nextAttempt(
        afterAttempts attempts: Int,
        requested: Duration?,
        expiration: Date?,
        now: Date,
        jitter: Double
    ) -> Date? {
        guard attempts < maxAttempts else { return nil }
        let doubled = firstPause * pow(2, Double(max(0, attempts - 1)))
        // Between half and all of the delay, so that pushes that failed together are not retried
        // together.
        let own = min(doubled, maxPause) * (0.5 + jitter / 2)
        let pause = max(own, requested.map { $0 / .seconds(1) } ?? 0)
        let next = now.addingTimeInterval(pause)
        if let expiration, next >= expiration { return nil }
        return next
    }
}
