import Foundation

/// What makes a campaign send.
package enum CampaignDelivery: Sendable, Hashable, Codable {
    /// Once, when it is activated.
    case immediately
    case scheduled(CampaignSchedule)
    /// When a user does something.
    case actionBased(ActionTrigger)
    /// When the REST API asks for it.
    case apiTriggered
}

/// A time on the wall, once or again and again.
package struct CampaignSchedule: Sendable, Hashable, Codable {
    /// The first day; with a recurrence the first day that fits is the first occurrence.
    package var start: CalendarDay
    package var time: TimeOfDay
    package var clock: ScheduleClock
    /// `nil` for once.
    package var recurrence: Recurrence?

    package init(
        start: CalendarDay,
        time: TimeOfDay,
        clock: ScheduleClock,
        recurrence: Recurrence? = nil
    ) {
        self.start = start
        self.time = time
        self.clock = clock
        self.recurrence = recurrence
    }
}

/// On whose wall the clock of a schedule hangs.
package enum ScheduleClock: Sendable, Hashable, Codable {
    /// The same moment for everybody: the time in the zone of this IANA name.
    case zone(String)
    /// The time in each user's own zone; the workspace's zone for users without one.
    case eachUser
}

/// The days of a schedule that repeats.
package struct Recurrence: Sendable, Hashable, Codable {
    package enum Pattern: Sendable, Hashable, Codable {
        /// Every so many days.
        case daily(every: Int)
        /// On these days (ISO 8601: Monday is 1) of every so many weeks, which begin on Monday.
        case weekly(every: Int, weekdays: Set<Int>)
        /// On these days of every so many months; -1 is the last day. A day that a month does not
        /// have is left out.
        case monthly(every: Int, days: Set<Int>)
    }

    package enum End: Sendable, Hashable, Codable {
        case never
        /// So many occurrences in all.
        case afterCount(Int)
        /// Including this day.
        case onDay(CalendarDay)
    }

    package var pattern: Pattern
    package var end: End

    package init(_ pattern: Pattern, end: End = .never) {
        self.pattern = pattern
        self.end = end
    }
}

/// What a user does, and what follows.
package struct ActionTrigger: Sendable, Hashable, Codable {
    package var event: EventMatch
    /// How long after the event, in seconds.
    package var delay: TimeInterval
    /// A user who does this between the event and the delivery gets nothing; only with a delay.
    package var exception: EventMatch?
    /// Events outside do not count; `nil` is open.
    package var start: Date?
    package var end: Date?

    package init(
        event: EventMatch,
        delay: TimeInterval = 0,
        exception: EventMatch? = nil,
        start: Date? = nil,
        end: Date? = nil
    ) {
        self.event = event
        self.delay = delay
        self.exception = exception
        self.start = start
        self.end = end
    }
}
