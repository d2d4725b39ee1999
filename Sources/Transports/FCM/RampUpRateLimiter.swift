import Synchronization

/// A rate limiter that rises from a tenth of the full rate to all of it within `rampTime`.
///
/// It starts over after an idle time longer than `rampTime`.
package final class RampUpRateLimiter: Sendable {
    private struct State {
        var startedAt: ContinuousClock.Instant
        var nextFree: ContinuousClock.Instant
    }

    private static let firstShare = 0.1

    private let fullRate: Double
    private let rampTime: Duration
    private let state = Mutex<State?>(nil)

    package init(fullRate: Double, rampTime: Duration) {
        self.fullRate = fullRate
        self.rampTime = rampTime
    }

    /// Reserves the next slot.
    ///
    /// - Returns: The time of the slot.
    package func reserve(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        state.withLock { state in
            var current = state ?? State(startedAt: now, nextFree: now)
            if now - current.nextFree > rampTime {
                current = State(startedAt: now, nextFree: now)
            }
            let place = max(now, current.nextFree)
            let progress = min(1, Self.seconds(place - current.startedAt) / Self.seconds(rampTime))
            let rate = fullRate * (Self.firstShare + (1 - Self.firstShare) * progress)
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
