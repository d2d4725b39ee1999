import Foundation

/// A token bucket for pushes: tokens are added at a constant rate, and each push takes one.
package struct TokenBucket: Sendable, Hashable {
    package var perMinute: Int
    package var tokens: Double
    package var updatedAt: Date

    /// A full bucket.
    package init(perMinute: Int, now: Date) {
        self.perMinute = perMinute
        tokens = Self.capacity(perMinute)
        updatedAt = now
    }

    package init(perMinute: Int, tokens: Double, updatedAt: Date) {
        self.perMinute = perMinute
        self.tokens = min(tokens, Self.capacity(perMinute))
        self.updatedAt = updatedAt
    }

    /// The tokens of two seconds, and at least one, so that the limit for a minute is not used up
    /// at its beginning.
    private static func capacity(_ perMinute: Int) -> Double { max(1, Double(perMinute) / 30) }

    /// Number of whole tokens at `now`.
    package func available(at now: Date) -> Int {
        let come = max(0, now.timeIntervalSince(updatedAt)) * Double(perMinute) / 60
        // Slightly more, so that a token is available at the time that `nextToken` returns.
        return Int(min(tokens + come, Self.capacity(perMinute)) + 1e-6)
    }

    package mutating func take(_ count: Int, at now: Date) {
        let come = max(0, now.timeIntervalSince(updatedAt)) * Double(perMinute) / 60
        tokens = min(tokens + come, Self.capacity(perMinute)) - Double(count)
        updatedAt = max(updatedAt, now)
    }

    /// When the next whole token is available; `now` if one already is.
    package func nextToken(after now: Date) -> Date {
        guard perMinute > 0 else { return .distantFuture }
        let missing = (1 - tokens) * 60 / Double(perMinute)
        return max(now, updatedAt.addingTimeInterval(missing))
    }
}
