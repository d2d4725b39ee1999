import Foundation

/// The limits that protect the users of a workspace from too many messages.
package struct MessagingLimits: Sendable, Hashable, Codable {
    /// All caps apply; at most ten.
    package var caps: [FrequencyCap]
    package var quietHours: QuietHours?
    /// `nil` if everybody gets messages.
    package var controlGroup: ControlGroup?

    package init(
        caps: [FrequencyCap] = [],
        quietHours: QuietHours? = nil,
        controlGroup: ControlGroup? = nil
    ) {
        self.caps = caps
        self.quietHours = quietHours
        self.controlGroup = controlGroup
    }
}

/// Maximum number of campaign messages to one user within a number of days of the user's calendar.
package struct FrequencyCap: Sendable, Hashable, Codable {
    package var messages: Int
    /// 1 to 30.
    package var days: Int

    package init(messages: Int, days: Int) {
        self.messages = messages
        self.days = days
    }
}

/// The daily period, in each user's time zone, during which campaigns are not delivered. The period
/// spans midnight when `start` is later than `end`.
package struct QuietHours: Sendable, Hashable, Codable {
    package var start: TimeOfDay
    /// The first minute after the period.
    package var end: TimeOfDay

    package init(start: TimeOfDay, end: TimeOfDay) {
        self.start = start
        self.end = end
    }
}
