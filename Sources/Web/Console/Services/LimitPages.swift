import Foundation

/// What protects the workspace's users from too many messages.
package protocol LimitPages: Sendable {
    func limits(for member: ConsoleMember) async throws -> WorkspaceRules
    func saveLimits(_ limits: WorkspaceRules, for member: ConsoleMember) async throws
}

package struct WorkspaceRules: Sendable, Hashable {
    /// All of them hold.
    package var caps: [CapRule]
    package var quietHours: QuietRule?

    package init(caps: [CapRule] = [], quietHours: QuietRule? = nil) {
        self.caps = caps
        self.quietHours = quietHours
    }
}

/// At most so many campaign messages to one user in so many days.
package struct CapRule: Sendable, Hashable {
    package var messages: Int
    package var days: Int

    package init(messages: Int, days: Int) {
        self.messages = messages
        self.days = days
    }
}

/// When campaigns do not disturb, on each user's own clock; times such as `22:00`.
package struct QuietRule: Sendable, Hashable {
    package var start: String
    package var end: String

    package init(start: String, end: String) {
        self.start = start
        self.end = end
    }
}
