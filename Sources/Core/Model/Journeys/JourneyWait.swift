import Foundation

/// What a person waits for.
package enum JourneyWait: Sendable, Hashable, Codable {
    /// This many seconds from the arrival.
    case duration(TimeInterval)
    /// The next moment after the arrival at which the person's clock shows this.
    case clock(JourneyClockTime)
    /// An event at or after the arrival. Whoever has not performed it within `limit` seconds goes on
    /// at `late`; `nil` ends the journey.
    case event(EventMatch, limit: TimeInterval, late: JourneyStepID?)
    /// Until the person matches, looked at on arrival and after each change of their profile. Whoever
    /// does not within `limit` seconds goes on at `late`; `nil` ends the journey.
    case match(SegmentQuery, limit: TimeInterval, late: JourneyStepID?)
    /// The end of the workspace's quiet hours; outside of them nobody waits.
    case quietHours
}

/// A time on the person's clock.
package struct JourneyClockTime: Sendable, Hashable, Codable {
    package var time: TimeOfDay
    /// ISO 8601: Monday is 1. Empty means any day.
    package var weekdays: Set<Int>

    package init(time: TimeOfDay, weekdays: Set<Int> = []) {
        self.time = time
        self.weekdays = weekdays
    }
}
