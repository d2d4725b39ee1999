import Foundation

/// The trigger of a campaign's sends.
package enum CampaignDelivery: Sendable, Hashable, Codable {
    /// Once, when it is activated.
    case immediately
    case scheduled(CampaignSchedule)
    /// When a user performs an action.
    case actionBased(EventTrigger)
    /// When a request of the REST API triggers it.
    case apiTriggered
}

/// A local date and time, once or repeated.
package struct CampaignSchedule: Sendable, Hashable, Codable {
    /// The first day; with a recurrence, the first matching day from here on is the first
    /// occurrence.
    package var start: CalendarDay
    package var time: TimeOfDay
    package var clock: ScheduleTimeZone
    /// `nil` means once.
    package var recurrence: Recurrence?

    package init(
        start: CalendarDay,
        time: TimeOfDay,
        clock: ScheduleTimeZone,
        recurrence: Recurrence? = nil
    ) {
        self.start = start
        self.time = time
        self.clock = clock
        self.recurrence = recurrence
    }
}

/// The time zone in which a schedule's local time is interpreted.
package enum ScheduleTimeZone: Sendable, Hashable, Codable {
    /// The same moment for all users: the local time in the zone with this IANA name.
    case zone(String)
    /// The time in each user's own zone; the workspace's zone for users without one.
    case eachUser
}

/// The days of a schedule that repeats.
package struct Recurrence: Sendable, Hashable, Codable {
    package enum Pattern: Sendable, Hashable, Codable {
        /// Every `every` days.
        case daily(every: Int)
        /// On these days (ISO 8601: Monday is 1) of every `every` weeks, which begin on Monday.
        case weekly(every: Int, weekdays: Set<Int>)
        /// On these days of every `every` months; -1 is the last day. Days that a month does not
        /// have are skipped.
        case monthly(every: Int, days: Set<Int>)
    }

    package enum End: Sendable, Hashable, Codable {
        case never
        /// After this number of occurrences.
        case afterCount(Int)
        /// After this day, which is included.
        case onDay(CalendarDay)
    }

    package var pattern: Pattern
    package var end: End

    package init(_ pattern: Pattern, end: End = .never) {
        self.pattern = pattern
        self.end = end
    }
}

/// The action that triggers a message, and its conditions.
package struct EventTrigger: Sendable, Hashable, Codable {
    package var event: EventMatch
    /// Delay after the event, in seconds.
    package var delay: TimeInterval
    /// A user who performs this between the event and the delivery gets no message; requires a
    /// delay.
    package var exception: EventMatch?
    /// Earlier events do not trigger; `nil` means no limit.
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
