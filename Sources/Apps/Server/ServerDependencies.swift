import Accounts
import Foundation
import Retention

/// The server's external dependencies; replaced in tests.
package struct ServerDependencies: Sendable {
    package var now: @Sendable () -> Date { didSet { hasSystemClock = false } }
    /// Whether `now` is the system's clock, so that it is a fault if it is wrong.
    package var hasSystemClock = false
    /// The time since a fixed moment; monotonic.
    package var uptime: @Sendable () -> Duration
    /// Random bytes of the given number, suitable for secrets.
    package var random: @Sendable (Int) -> [UInt8]
    /// A number from 0 to 1.
    package var jitter: @Sendable () -> Double
    /// The cost of checking a password: rounds of scrypt.
    package var passwordRounds: Int
    /// Maximum interval between looks at what is due; a clock that is moved by hand wants short ones.
    package var idlePause: Duration = .seconds(1)
    /// How fast that is removed which workspaces no longer want to keep.
    package var retention = RetentionService.Settings()

    package init(
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration = ServerDependencies.uptime,
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
    /// From the system's monotonic clock.
    package static let uptime: @Sendable () -> Duration = { ContinuousClock.now - start }

    /// The system's clock and its random number generator, which is suitable for secrets.
    package static let live = {
        var dependencies = ServerDependencies(
            now: { Date() },
            random: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            },
            jitter: { Double.random(in: 0...1) }
        )
        dependencies.hasSystemClock = true
        return dependencies
    }()
}
