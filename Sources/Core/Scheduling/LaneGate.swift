import Foundation

/// Whether a provider is worth trying: closes its lane after failures without a success between
/// them, and lets single pushes through until one arrives.
///
/// One cut connection fails a thousand pushes at once, so a number of failures alone says nothing:
/// they have to go on for a while, for the same reason.
package struct LaneGate: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case open
        /// Not used until the date.
        case closed(reason: String, since: Date, until: Date)
        /// One push is on its way to try the provider; without its ending, another one follows at
        /// the date.
        case probing(reason: String, since: Date, until: Date)
    }

    /// What an attempt says of the provider.
    package enum Report: Sendable, Hashable {
        /// It has taken a push, so the credentials are good.
        case accepts
        /// It has answered, and what it says concerns one push.
        case works
        /// It did not answer, or with a fault of its own.
        case fails(reason: String)
        /// It does not accept the credentials, which a repetition does not mend.
        case refusesCredentials(reason: String)
    }

    /// How long failures go on, without a success, before the lane is closed.
    package var patience: TimeInterval = 3
    package var failuresMin = 5
    package var refusalsMin = 3
    package var firstPause: TimeInterval = 5
    package var longestPause: TimeInterval = 300
    /// How long a probe may take.
    package var probeTime: TimeInterval = 60

    package private(set) var state = State.open
    /// Whether the provider has taken a push before.
    package private(set) var isProven = false
    /// Failures in a row for the same reason.
    private var failures = 0
    private var lastReason: String?
    private var firstFailure: Date?
    private var pauses = 0

    package init() {}

    /// How many more pushes may go; `nil` for any number.
    package func room(at now: Date) -> Int? {
        switch state {
        case .open: nil
        case .closed(_, _, let until), .probing(_, _, let until): now >= until ? 1 : 0
        }
    }

    /// Notes that pushes have been let through.
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

    /// Takes an ending in.
    ///
    /// - Parameter jitter: A random number from 0 to 1 that spreads the attempts of many servers.
    /// - Returns: Whether the lane was closed or opened by it.
    package mutating func report(_ report: Report, at now: Date, jitter: Double) -> Bool {
        switch report {
        case .accepts, .works:
            let wasOpen = state == .open
            if report == .accepts { isProven = true }
            state = .open
            (failures, pauses, firstFailure, lastReason) = (0, 0, nil, nil)
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
                failures >= failuresMin && now.timeIntervalSince(first) >= patience
            guard hasGoneOn || (isRefusal && failures >= refusalsMin) else { return false }
            state = .closed(reason: reason, since: now, until: pauseEnd(now, jitter))
            return true
        case .closed:
            // A push that was on its way when the lane was closed.
            return false
        case .probing(_, let since, _):
            state = .closed(reason: reason, since: since, until: pauseEnd(now, jitter))
            return true
        }
    }

    private mutating func pauseEnd(_ now: Date, _ jitter: Double) -> Date {
        let pause = min(firstPause * pow(2, Double(pauses)), longestPause)
        pauses = min(pauses + 1, 16)
        return now.addingTimeInterval(pause * (0.5 + jitter / 2))
    }
}
