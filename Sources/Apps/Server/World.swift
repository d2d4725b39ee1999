import Accounts
import Foundation

/// What the server asks of its surroundings; a test gives another one.
package struct World: Sendable {
    package var now: @Sendable () -> Date
    /// The time since some moment that stays the same; never goes back.
    package var uptime: @Sendable () -> Duration
    /// So many random bytes, fit for secrets.
    package var random: @Sendable (Int) -> [UInt8]
    /// A number from 0 to 1.
    package var jitter: @Sendable () -> Double
    /// What it costs to look at a password: rounds of scrypt.
    package var passwordRounds: Int

    package init(
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration = World.uptime,
        random: @escaping @Sendable (Int) -> [UInt8],
        jitter: @escaping @Sendable () -> Double,
        passwordRounds: Int = PasswordHasher.usualRounds
    ) {
        self.now = now
        self.uptime = uptime
        self.random = random
        self.jitter = jitter
        self.passwordRounds = passwordRounds
    }

    private static let start = ContinuousClock.now
    /// By the system's clock that is never set.
    package static let uptime: @Sendable () -> Duration = { ContinuousClock.now - start }

    /// The system's clock and its generator of random numbers, which is fit for secrets.
    package static let live = World(
        now: { Date() },
        random: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        },
        jitter: { Double.random(in: 0...1) }
    )
}
