/// A moment in a filter, absolute or relative to the evaluation time.
package enum TimePoint: Sendable, Hashable {
    /// Unix seconds.
    case at(Int64)
    /// A whole day of the user's calendar, by its number since 1 January 1970.
    case day(Int64)
    /// Seconds after (or, negative, before) the evaluation time; whole days go to the same time of
    /// day on the user's calendar.
    case now(offset: Int64)
    /// The beginning of the evaluation day on the user's calendar, moved by whole days.
    case today(offsetInDays: Int64)

    /// A filter reaches no further from the evaluation time, in either direction: some 30,000 years.
    static let furthestSeconds: Int64 = 1 << 40
    /// The same for whole days from the evaluation day.
    static let furthestDays: Int64 = 1_000_000_000

    /// The moment it means on a user's calendar.
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

    /// What dates without a clock are compared with: the day it means is theirs, wherever it began.
    package func date(on calendar: UserCalendar) -> Int64 {
        switch self {
        case .today(let days): calendar.date(afterToday: days)
        case .day(let number): number &* 86_400
        case .at, .now: seconds(on: calendar)
        }
    }

    /// Which times pass a comparison with it. A day is compared as a whole: what is after it lies
    /// behind its end, and what equals it lies within.
    package func passing(_ comparison: Comparison, on calendar: UserCalendar) -> PassingTimes {
        var end = self
        if case .day(let number) = self { end = .day(number &+ 1) }
        func range(_ start: Int64, _ end: Int64) -> ClosedRange<Int64>? {
            // Only a day has a length; a moment's end is itself.
            let last = max(start, end &- 1)
            return switch comparison {
            case .less: start > .min ? .min...(start - 1) : nil
            case .lessOrEqual: .min...last
            case .equal: start...last
            case .greaterOrEqual: start...(.max)
            case .greater: last < .max ? (last + 1)...(.max) : nil
            // The language has no such test; its opposite is `not (… = …)`.
            case .notEqual: nil
            }
        }
        return PassingTimes(
            moments: range(seconds(on: calendar), end.seconds(on: calendar)),
            dates: range(date(on: calendar), end.date(on: calendar))
        )
    }

    /// Whether it means another moment in another time zone.
    package var dependsOnCalendar: Bool {
        switch self {
        case .at: false
        case .now(let offset): offset % 86_400 == 0 && offset != 0
        case .today, .day: true
        }
    }
}

/// Which times pass a test.
package struct PassingTimes: Sendable, Hashable {
    package var moments: ClosedRange<Int64>?
    /// Of dates without a clock, which are at midnight in UTC.
    package var dates: ClosedRange<Int64>?

    package func contains(_ seconds: Int64) -> Bool {
        (seconds % 86_400 == 0 ? dates : moments)?.contains(seconds) ?? false
    }
}
