import Foundation

/// A circuit breaker for one lane. It trips after consecutive failures for the same reason that go
/// on for at least `patience`, or after a few rejections of the credentials, then lets single
/// probes through until the provider responds.
///
/// One lost connection fails a thousand pushes at once, so the number of failures alone is not
/// enough: they must also go on for a while.
package struct LaneGate: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case open
        /// Tripped: no pushes until the date.
        case closed(reason: String, since: Date, until: Date)
        /// One push is probing the provider; if it has no outcome, another one follows at the date.
        case probing(reason: String, since: Date, until: Date)
    }

    /// The result of an attempt, as evidence about the provider.
    package enum Report: Sendable, Hashable {
        /// The provider accepted a push, so the credentials are valid.
        case accepts
        /// The provider responded, with a result that concerns only this push.
        case works
        /// The provider did not respond, or reported an error of its own.
        case fails(reason: String)
        /// The provider rejected the credentials. Retrying cannot succeed until they are replaced.
        case refusesCredentials(reason: String)
    }

    /// How long failures must go on without a success before the breaker trips, in seconds.
    package var patience: TimeInterval = 3
    package var minFailures = 5
    package var minRefusals = 3
    package var firstPause: TimeInterval = 5
    package var maxPause: TimeInterval = 300
    /// Maximum duration of a probe, in seconds.
    package var probeTime: TimeInterval = 60

    package private(set) var state = State.open
    /// Whether the provider has accepted a push before.
    package private(set) var isProven = false
    /// Number of consecutive failures for the last reason, if there is one.
    private var failures = 0
    private var lastReason: String?
    private var firstFailure: Date?
    private var pauses = 0

    package init() {}

    /// Number of pushes that may start now; `nil` means no limit.
    package func room(at now: Date) -> Int? {
        switch state {
        case .open: nil
        case .closed(_, _, let until), .probing(_, _, let until): now >= until ? 1 : 0
        }
    }

    /// Records that pushes were started.
    package mutating func started(at now: Date) {
        switch state {
        case .open: break
        case .closed(let reason, let since, let until), .probing(let reason, let since, let until):
            guard now >= until else { break }
            state = .probing(
                reason: reason,
                since: since,
                until: now.addingTimeInterval(probeTime)
            )
        }
    }

    /// Records the result of an attempt.
    ///
    /// - Parameter jitter: A random number from 0 to 1 that spreads the attempts of many servers.
    /// - Returns: Whether the state of the breaker changed.
    package mutating func report(_ report: Report, at now: Date, jitter: Double) -> Bool {
        switch report {
        case .accepts, .works:
            let wasOpen = state == .open
            if report == .accepts { isProven = true }
            state = .open
            (pauses, firstFailure, lastReason) = (0, nil, nil)
            return !wasOpen
        case .fails(let reason):
            return close(reason, isRefusal: false, at: now, jitter: jitter)
        case .refusesCredentials(let reason):
            return close(reason, isRefusal: true, at: now, jitter: jitter)
        }
    }

    private mutating func close(
        _ reason: String,
        isRefusal: Bool,
        at now: Date,
        jitter: Double
    ) -> Bool {
        failures = reason == lastReason ? failures + 1 : 1
        lastReason = reason
        let first = firstFailure ?? now
        firstFailure = first
        switch state {
        case .open:
            let hasGoneOn =
                failures >= minFailures && now.timeIntervalSince(first) >= patience
            guard hasGoneOn || (isRefusal && failures >= minRefusals) else { return false }
            state = .closed(reason: reason, since: now, until: pauseEnd(now, jitter))
            return true
        case .closed:
            // The push was already in progress when the breaker tripped.
            return false
        case .probing(_, let since, _):
            state = .closed(reason: reason, since: since, until: pauseEnd(now, jitter))
            return true
        }
    }

    private mutating func pauseEnd(_ now: Date, _ jitter: Double) -> Date {
        let pause = min(firstPause * pow(2, Double(pauses)), maxPause)
        pauses = min(pauses + 1, 16)
        return now.addingTimeInterval(pause * (0.5 + jitter / 2))
    }
}
