import Synchronization

/// A rate limiter that rises from a tenth of the full rate to all of it within `rampTime`.
///
/// It starts over after an idle time longer than `rampTime`. Each of several servers takes its part of the rate.
package final class RampUpRateLimiter: Sendable {
    private struct State {
        var startedAt: ContinuousClock.Instant
        var nextFree: ContinuousClock.Instant
    }

    private static let firstShare = 0.1

    private let fullRate: Double
    private let rampTime: Duration
    private let servers: @Sendable () -> Int
    private let state = Mutex<State?>(nil)

    /// - Parameters:
    ///   - fullRate: Of all servers together, per second.
    ///   - servers: Number of servers that share it.
    package init(
        fullRate: Double,
        rampTime: Duration,
        servers: @escaping @Sendable () -> Int = { 1 }
    ) {
        self.fullRate = fullRate
        self.rampTime = rampTime
        self.servers = servers
    }

    /// Reserves the next slot.
    ///
    /// - Returns: The time of the slot.
    package func reserve(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let share = fullRate / Double(max(1, servers()))
        return state.withLock { state in
            var current = state ?? State(startedAt: now, nextFree: now)
            if now - current.nextFree > rampTime {
                current = State(startedAt: now, nextFree: now)
            }
            let place = max(now, current.nextFree)
            let progress = min(1, Self.seconds(place - current.startedAt) / Self.seconds(rampTime))
            let rate = share * (Self.firstShare + (1 - Self.firstShare) * progress)
            current.nextFree = place + .seconds(1 / rate)
            state = current
            return place
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        max(
            Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18,
            1e-9
        )
    }
}
