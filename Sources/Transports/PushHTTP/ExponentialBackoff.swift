/// The delay between attempts: doubling, capped, with jitter.
package struct ExponentialBackoff: Sendable {
    package var first: Duration
    package var longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// - Parameters:
    ///   - failures: Number of failed attempts, at least 1.
    ///   - random: Between 0 and 1; spreads clients that failed together over half of the delay.
    package func delay(afterFailures failures: Int, random: Double) -> Duration {
        var delay = first
        for _ in 1..<max(1, min(failures, 32)) where delay < longest {
            delay *= 2
        }
        return min(delay, longest) * (0.5 + 0.5 * random)
    }
}
