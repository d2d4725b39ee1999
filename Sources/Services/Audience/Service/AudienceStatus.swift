import Foundation

/// The loading state of the audience service, for people and load balancers.
package struct AudienceStatus: Sendable, Hashable {
    package var isReady: Bool
    /// The current step of loading.
    package var step: AudienceProgress.Step
    package var done: Int
    package var expected: Int
    /// Number of users of all workspaces.
    package var users: Int
    /// Time from the start until all users were in memory, in seconds.
    package var secondsToReady: Double?

    package init(
        isReady: Bool,
        step: AudienceProgress.Step,
        done: Int,
        expected: Int,
        users: Int,
        secondsToReady: Double? = nil
    ) {
        self.isReady = isReady
        self.step = step
        self.done = done
        self.expected = expected
        self.users = users
        self.secondsToReady = secondsToReady
    }

    /// The state as text, such as `reading profiles: 34 %`.
    package var text: String {
        if isReady { return "ready, \(users) users" }
        guard expected > 0 else { return "reading \(step.rawValue)" }
        return "reading \(step.rawValue): \(min(100, done * 100 / expected)) %"
    }
}
