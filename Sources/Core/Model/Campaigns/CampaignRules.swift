import Foundation

/// Whether a user who has had a campaign can have it again.
package enum Reeligibility: Sendable, Hashable, Codable {
    /// One message per user, ever.
    case never
    /// Again when so many seconds have passed since the last one; 0 is at once. Whole days are days of
    /// the user's calendar: after one day means from the next day on.
    case after(TimeInterval)
}

/// What happens to a message that would arrive in the workspace's quiet hours.
package enum QuietHoursHandling: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for their end.
    case hold
    /// It is not sent.
    case drop
    case ignore
}

/// A part of the audience tries the variants; the rest gets the best one.
package struct WinnerRule: Sendable, Hashable, Codable {
    package enum Measure: String, Sendable, Hashable, Codable, CaseIterable {
        case opens
        /// The primary conversion event.
        case conversions
    }

    /// The share of users in the test, in per cent.
    package var testShare: Int
    /// How long the test runs, in seconds.
    package var duration: TimeInterval
    package var measure: Measure

    package init(testShare: Int, duration: TimeInterval, measure: Measure = .opens) {
        self.testShare = testShare
        self.duration = duration
        self.measure = measure
    }
}

/// What a campaign is to bring about.
package struct ConversionEvent: Sendable, Hashable, Codable {
    package var event: EventMatch
    /// How long after the message it counts, in seconds; at most 30 days.
    package var window: TimeInterval

    package init(event: EventMatch, window: TimeInterval = 3 * 86_400) {
        self.event = event
        self.window = window
    }
}
