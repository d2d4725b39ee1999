import Model

/// An action on a whole journey; publishing it starts one that is a draft or stopped.
package enum JourneyAction: String, Sendable, Hashable, CaseIterable {
    /// Nobody enters or moves on until it is resumed.
    case pause
    case resume
    /// Nobody enters any more; who is inside goes on to the end.
    case drain
    /// Ends the way of everybody inside; messages that no worker has claimed are not sent.
    case stop
    /// Hides a journey that is not running from lists.
    case archive

    /// The name in the audit log.
    var action: String {
        switch self {
        case .pause: "journey_paused"
        case .resume: "journey_resumed"
        case .drain: "journey_drained"
        case .stop: "journey_stopped"
        case .archive: "journey_archived"
        }
    }

    package var origins: Set<JourneyState> {
        switch self {
        case .pause: [.active, .draining]
        case .resume: [.paused]
        case .drain: [.active, .paused]
        case .stop: [.active, .paused, .draining]
        case .archive: [.draft, .stopped]
        }
    }

    /// `nil` is the state before the pause.
    var outcome: JourneyState? {
        switch self {
        case .pause: .paused
        case .resume: nil
        case .drain: .draining
        case .stop: .stopped
        case .archive: .archived
        }
    }
}
