import Foundation

/// What protects the users of a workspace from too many messages.
package struct WorkspaceLimits: Sendable, Hashable, Codable {
    /// All of them hold; at most ten.
    package var caps: [FrequencyCap]
    package var quietHours: QuietHours?

    package init(caps: [FrequencyCap] = [], quietHours: QuietHours? = nil) {
        self.caps = caps
        self.quietHours = quietHours
    }
}

/// At most so many campaign messages to one user in so many days of the user's calendar.
package struct FrequencyCap: Sendable, Hashable, Codable {
    package var messages: Int
    /// 1 to 30.
    package var days: Int

    package init(messages: Int, days: Int) {
        self.messages = messages
        self.days = days
    }
}

/// The part of the day, on each user's own clock, in which campaigns do not disturb. With a start
/// behind the end it goes past midnight.
package struct QuietHours: Sendable, Hashable, Codable {
    package var start: TimeOfDay
    /// The first minute that is no longer quiet.
    package var end: TimeOfDay

    package init(start: TimeOfDay, end: TimeOfDay) {
        self.start = start
        self.end = end
    }
}
