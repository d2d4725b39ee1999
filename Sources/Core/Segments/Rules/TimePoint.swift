/// A time in a filter, absolute or relative to the evaluation time.
package enum TimePoint: Sendable, Hashable {
    /// Unix seconds.
    case at(Int64)
    /// A whole day of the user's calendar, in days since January 1, 1970.
    case day(Int64)
    /// Seconds after (or, if negative, before) the evaluation time; whole days keep the local time
    /// of day on the user's calendar.
    case now(offset: Int64)
    /// The start of the evaluation day on the user's calendar, moved by whole days.
    case today(offsetInDays: Int64)

    /// Maximum distance of a filter from the evaluation time, in either direction: some 30,000
    /// years.
    static let furthestSeconds: Int64 = 1 << 40
    static let reach = -furthestSeconds...furthestSeconds
    /// The same for whole days from the evaluation day.
    static let furthestDays: Int64 = 1_000_000_000

    /// The time on a user's calendar, in Unix seconds.
    package func seconds(on calendar: UserCalendar) -> Int64 {
        switch self {
        case .at(let seconds): seconds
        case .day(let number): calendar.start(ofDay: number)
        case .now(let offset) where offset != 0 && offset % 86_400 == 0:
            calendar.now(afterDays: offset / 86_400)
        case .now(let offset): calendar.now &+ offset
        case .today(let days): calendar.start(ofDayAfterToday: days)
        }
    }

    /// The value with which dates without a time are compared: the same day at midnight UTC.
    package func date(on calendar: UserCalendar) -> Int64 {
        switch self {
        case .today(let days): calendar.date(afterToday: days)
        case .day(let number): number &* 86_400
        case .at, .now: seconds(on: calendar)
        }
    }

    /// The times that pass a comparison with this one. A day is compared as a whole: later times
    /// are after its end, and equal ones are within it.
    package func passing(_ comparison: Comparison, on calendar: UserCalendar) -> PassingTimes {
        var end = self
        if case .day(let number) = self { end = .day(number &+ 1) }
        func range(_ start: Int64, _ end: Int64) -> ClosedRange<Int64>? {
            // Only a day has a length; other times end where they begin.
            let last = max(start, end &- 1)
            return switch comparison {
            case .less: start > .min ? .min...(start - 1) : nil
            case .lessOrEqual: .min...last
            case .equal: start...last
            case .greaterOrEqual: start...(.max)
            case .greater: last < .max ? (last + 1)...(.max) : nil
            // The language has no such test; it is expressed as `not (… = …)`.
            case .notEqual: nil
            }
        }
        return PassingTimes(
            moments: range(seconds(on: calendar), end.seconds(on: calendar)),
            dates: range(date(on: calendar), end.date(on: calendar))
        )
    }

    /// Whether the time depends on the time zone.
    package var dependsOnCalendar: Bool {
        switch self {
        case .at: false
        case .now(let offset): offset % 86_400 == 0 && offset != 0
        case .today, .day: true
        }
    }
}

/// The times that pass a test.
package struct PassingTimes: Sendable, Hashable {
    package var moments: ClosedRange<Int64>?
    /// Ranges of dates without a time, which are stored as midnight UTC.
    package var dates: ClosedRange<Int64>?

    package func contains(_ seconds: Int64) -> Bool {
        (seconds % 86_400 == 0 ? dates : moments)?.contains(seconds) ?? false
    }
}
