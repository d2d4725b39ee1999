import Foundation

/// How far the audience is, for people and for load balancers.
package struct AudienceStatus: Sendable, Hashable {
    package var isReady: Bool
    /// What is being read at the moment.
    package var step: AudienceProgress.Step
    package var done: Int
    package var expected: Int
    /// Users of all workspaces.
    package var users: Int
    /// From the start until all users were in memory.
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

    /// Such as `reading profiles: 34 %`.
    package var text: String {
        if isReady { return "ready, \(users) users" }
        guard expected > 0 else { return "reading \(step.rawValue)" }
        return "reading \(step.rawValue): \(min(100, done * 100 / expected)) %"
    }
}
