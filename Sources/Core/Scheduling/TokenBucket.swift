import Foundation

/// A token bucket for pushes: tokens are added at a constant rate, and each push takes one.
///
/// Several servers take from one bucket, whose clocks differ a little: the one that is ahead decides when
/// tokens come, so that none comes twice.
package struct TokenBucket: Sendable, Hashable {
    package var perMinute: Int
    package var tokens: Double
    package var updatedAt: Date

    /// Of a clock that is behind by more seconds than this it is taken that it was set back. It goes on where it
    /// is, instead of waiting until it is as late as it was.
    private static let skew: TimeInterval = 60

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

    /// From when on tokens have come.
    private func start(at now: Date) -> Date {
        updatedAt.timeIntervalSince(now) > Self.skew ? now : updatedAt
    }

    /// The tokens at `now`.
    private func tokens(at now: Date) -> Double {
        let come = max(0, now.timeIntervalSince(start(at: now))) * Double(perMinute) / 60
        return min(tokens + come, Self.capacity(perMinute))
    }

    /// Number of whole tokens at `now`.
    package func available(at now: Date) -> Int {
        // Slightly more, so that a token is available at the time that `nextToken` returns.
        Int(tokens(at: now) + 1e-6)
    }

    package mutating func take(_ count: Int, at now: Date) {
        tokens = tokens(at: now) - Double(count)
        updatedAt = max(start(at: now), now)
    }

    /// When the next whole token is available; `now` if one already is.
    package func nextToken(after now: Date) -> Date {
        guard perMinute > 0 else { return .distantFuture }
        let missing = (1 - tokens) * 60 / Double(perMinute)
        return max(now, start(at: now).addingTimeInterval(missing))
    }
}
