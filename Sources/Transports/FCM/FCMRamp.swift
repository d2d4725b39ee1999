import Synchronization

/// Lets messages through ever faster, from a tenth of the full rate to all of it.
///
/// After a minute without traffic it begins again.
package final class FCMRamp: Sendable {
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

    /// Takes the next place in the queue and says when it is free.
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
