/// What somebody can do with a send that is not over.
package enum SendStep: String, Sendable, Hashable, CaseIterable {
    /// What has not been handed to a worker waits.
    case pause
    /// A paused send goes on where it was.
    case resume
    /// What has not been handed to a worker is not sent.
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
