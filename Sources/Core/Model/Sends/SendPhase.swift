/// What people and clients are told of where a send stands.
package enum SendPhase: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for its time.
    case scheduled
    case running
    case paused
    /// All of it went out.
    case done
    /// Some of it was refused.
    case partlyFailed = "partly_failed"
    /// All of it was refused.
    case failed
    /// It is over, and there was nobody to send it to.
    case noRecipients = "no_recipients"
    case cancelled

    /// - Parameter counts: Of the ledger; what was skipped on purpose is neither sent nor refused.
    package init(_ state: SendState, _ counts: SendCounts) {
        switch state {
        case .scheduled: self = .scheduled
        case .planning, .sending: self = .running
        case .paused: self = .paused
        case .cancelled: self = .cancelled
        case .finished:
            let hasSent = counts[.accepted] + counts[.unknown] > 0
            switch (hasSent, counts[.rejected] > 0) {
            case (true, false): self = .done
            case (true, true): self = .partlyFailed
            case (false, true): self = .failed
            case (false, false): self = .noRecipients
            }
        }
    }
}
