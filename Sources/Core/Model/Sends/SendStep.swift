/// An action on an unfinished send.
package enum SendStep: String, Sendable, Hashable, CaseIterable {
    /// Dispatches that no worker has claimed stay queued.
    case pause
    /// Continues a paused send.
    case resume
    /// Dispatches that no worker has claimed are not sent.
    case stop

    /// The name in the audit log.
    package var action: String {
        switch self {
        case .pause: "push_paused"
        case .resume: "push_resumed"
        case .stop: "push_cancelled"
        }
    }
}
