import Foundation

/// A circuit breaker for one lane. It trips after consecutive failures for the same reason that go
/// on for at least `failureWindow`, or after a few rejections of the credentials, then lets single
/// probes through until the provider responds.
///
/// One lost connection fails a thousand pushes at once, so the number of failures alone is not
/// enough: they must also go on for a while.
package struct CircuitBreaker: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case closed
        /// Tripped: no pushes until the date.
        case open(reason: String, since: Date, until: Date)
        /// One push probes the provider; if it has no outcome, another one follows at the date.
        case halfOpen(reason: String, since: Date, until: Date)
    }

    /// The result of an attempt, as evidence about the provider.
    package enum Signal: Sendable, Hashable {
        /// The provider accepted a push, so the credentials are valid.
        case accepted
        /// The provider responded, with a result that concerns only this push.
        case responded
        /// The provider did not respond, or reported an error of its own.
        case failed(reason: String)
        /// The provider rejected the credentials. Retrying cannot succeed until they are replaced.
        case credentialsRejected(reason: String)
    }

    /// How long failures must go on without a success before the breaker trips, in seconds.
    package var failureWindow: TimeInterval = 3
    package var minFailures = 5
    package var minCredentialFailures = 3
    /// The first pause of a tripped breaker, in seconds; each failed probe doubles it.
    package var initialBackoff: TimeInterval = 5
    package var maxBackoff: TimeInterval = 300
    /// Maximum duration of a probe, in seconds.
    package var probeTimeout: TimeInterval = 60

    package private(set) var state = State.closed
    /// Whether the provider has accepted a push before.
    package private(set) var isProven = false
    /// Number of consecutive failures for the last reason, if there is one.
    private var failures = 0
    private var lastReason: String?
    private var firstFailure: Date?
    private var pauses = 0

    package init() {}

    /// Number of pushes that may start now; `nil` means no limit.
    package func capacity(at now: Date) -> Int? {
        switch state {
        case .closed: nil
        case .open(_, _, let until), .halfOpen(_, _, let until): now >= until ? 1 : 0
        }
    }

    /// Records that pushes were started.
    package mutating func recordAttempt(at now: Date) {
        switch state {
        case .closed: break
        case .open(let reason, let since, let until), .halfOpen(let reason, let since, let until):
            guard now >= until else { break }
            state = .halfOpen(
                reason: reason,
                since: since,
                until: now.addingTimeInterval(probeTimeout)
            )
        }
    }

    /// Records the result of an attempt.
    ///
    /// - Parameter jitter: A random number from 0 to 1 that spreads the attempts of many servers.
    /// - Returns: Whether the state of the breaker changed.
    package mutating func record(_ signal: Signal, at now: Date, jitter: Double) -> Bool {
        switch signal {
        case .accepted, .responded:
            let wasClosed = state == .closed
            if signal == .accepted { isProven = true }
            state = .closed
            (pauses, firstFailure, lastReason) = (0, nil, nil)
            return !wasClosed
        case .failed(let reason):
            return recordFailure(reason, ofCredentials: false, at: now, jitter: jitter)
        case .credentialsRejected(let reason):
            return recordFailure(reason, ofCredentials: true, at: now, jitter: jitter)
        }
    }

    private mutating func recordFailure(
        _ reason: String,
        ofCredentials isCredentialFailure: Bool,
        at now: Date,
        jitter: Double
    ) -> Bool {
        failures = reason == lastReason ? failures + 1 : 1
        lastReason = reason
        let first = firstFailure ?? now
        firstFailure = first
        switch state {
        case .closed:
            let hasGoneOn =
                failures >= minFailures && now.timeIntervalSince(first) >= failureWindow
            guard hasGoneOn || (isCredentialFailure && failures >= minCredentialFailures) else {
                return false
            }
            state = .open(reason: reason, since: now, until: pauseEnd(now, jitter))
            return true
        case .open:
            // The push was already in progress when the breaker tripped.
            return false
        case .halfOpen(_, let since, _):
            state = .open(reason: reason, since: since, until: pauseEnd(now, jitter))
            return true
        }
    }

    private mutating func pauseEnd(_ now: Date, _ jitter: Double) -> Date {
        let pause = min(initialBackoff * pow(2, Double(pauses)), maxBackoff)
        pauses = min(pauses + 1, 16)
        return now.addingTimeInterval(pause * (0.5 + jitter / 2))
    }
}
