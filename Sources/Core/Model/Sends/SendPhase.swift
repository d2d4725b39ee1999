/// The state of a send as shown to members and clients.
package enum SendPhase: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for its time.
    case scheduled
    case running
    case paused
    /// Pushes were sent, and those that were rejected were for devices that are gone.
    case done
    /// Some pushes were sent, and some rejected for another reason than that the device is gone.
    case partlyFailed = "partly_failed"
    /// All pushes were rejected.
    case failed
    /// The send finished without a push that was sent or rejected.
    case noRecipients = "no_recipients"
    case cancelled

    /// - Parameter counts: Counts of the dispatches; skipped ones are neither sent nor rejected.
    package init(_ state: SendState, _ counts: SendCounts) {
        switch state {
        case .scheduled: self = .scheduled
        case .planning, .sending: self = .running
        case .paused: self = .paused
        case .cancelled: self = .cancelled
        case .finished:
            let hasSent = counts[.accepted] + counts[.unknown] > 0
            switch (hasSent, counts[.rejected] > 0) {
            case (true, _): self = counts[.rejected] > counts.gone ? .partlyFailed : .done
            case (false, true): self = .failed
            case (false, false): self = .noRecipients
            }
        }
    }
}
