/// A moment in a filter, absolute or relative to the evaluation time.
package enum TimePoint: Sendable, Hashable {
    /// Unix seconds.
    case at(Int64)
    /// Seconds after (or, negative, before) the evaluation time; whole days go to the same time of
    /// day on the user's calendar.
    case now(offset: Int64)
    /// The beginning of the evaluation day on the user's calendar, moved by whole days.
    case today(offsetInDays: Int64)

    /// The moment it means on a user's calendar.
    package func seconds(on calendar: UserCalendar) -> Int64 {
        switch self {
        case .at(let seconds): seconds
        case .now(let offset) where offset != 0 && offset % 86_400 == 0:
            calendar.now(afterDays: offset / 86_400)
        case .now(let offset): calendar.now &+ offset
        case .today(let days): calendar.start(ofDayAfterToday: days)
        }
    }

    /// What dates without a clock are compared with: the day it means is theirs, wherever it began.
    package func date(on calendar: UserCalendar) -> Int64 {
        if case .today(let days) = self { return calendar.date(afterToday: days) }
        return seconds(on: calendar)
    }

    /// Whether it means another moment in another time zone.
    package var dependsOnCalendar: Bool {
        switch self {
        case .at: false
        case .now(let offset): offset % 86_400 == 0 && offset != 0
        case .today: true
        }
    }
}
