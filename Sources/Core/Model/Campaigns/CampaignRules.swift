import Foundation

/// Whether a user can get a campaign again.
package enum Reeligibility: Sendable, Hashable, Codable {
    /// One message per user, ever.
    case never
    /// Again once this number of seconds has passed since the last message; 0 means at once. Whole
    /// days are days of the user's calendar: after one day means from the next day on.
    case after(TimeInterval)
}

/// How a message that would arrive during the workspace's quiet hours is handled.
package enum QuietHoursHandling: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is delivered when they end.
    case delay = "hold"
    /// It is not sent.
    case skip = "drop"
    /// It is delivered all the same.
    case sendAnyway = "ignore"
}

/// A test group gets the variants; the remainder gets the best one.
package struct WinnerRule: Sendable, Hashable, Codable {
    package enum Measure: String, Sendable, Hashable, Codable, CaseIterable {
        case opens
        /// The primary conversion event.
        case conversions
    }

    /// The percentage of users in the test group.
    package var testShare: Int
    /// Duration of the test, in seconds.
    package var duration: TimeInterval
    package var measure: Measure

    package init(testShare: Int, duration: TimeInterval, measure: Measure = .opens) {
        self.testShare = testShare
        self.duration = duration
        self.measure = measure
    }
}

/// An event that a campaign aims for.
package struct ConversionEvent: Sendable, Hashable, Codable {
    package var event: EventMatch
    /// Maximum time between the message and the event, in seconds; at most 30 days.
    package var window: TimeInterval

    package init(event: EventMatch, window: TimeInterval = 3 * 86_400) {
        self.event = event
        self.window = window
    }
}
