import Model

/// The days of a schedule, in ascending order; infinite if the recurrence is.
package struct RecurrenceDays: Sequence, IteratorProtocol {
    /// Number of days without an occurrence after which the search ends: more than the eight years
    /// from one February 29 to the next around 1900 and 2100.
    private static let searchLimit = 3_000

    private let start: CalendarDay
    private let recurrence: Recurrence?
    private var candidate: CalendarDay?
    private var count = 0

    /// `recurrence` is `nil` for the start day alone.
    package init(from start: CalendarDay, _ recurrence: Recurrence?) {
        self.start = start
        self.recurrence = recurrence
        candidate = start
    }

    package mutating func next() -> CalendarDay? {
        guard let recurrence else {
            defer { candidate = nil }
            return candidate
        }
        if case .afterCount(let limit) = recurrence.end, count >= limit { return nil }
        for _ in 0..<Self.searchLimit {
            guard let day = candidate else { return nil }
            if case .onDay(let last) = recurrence.end, day > last { return nil }
            candidate = day.next
            if fits(day, recurrence.pattern) {
                count += 1
                return day
            }
        }
        return nil
    }

    private func fits(_ day: CalendarDay, _ pattern: Recurrence.Pattern) -> Bool {
        switch pattern {
        case .daily(let every):
            return (day.number - start.number) % Swift.max(1, every) == 0
        case .weekly(let every, let weekdays):
            guard weekdays.contains(day.weekday) else { return false }
            let weeks = (dayBeforeWeek(of: day) - dayBeforeWeek(of: start)) / 7
            return weeks % Swift.max(1, every) == 0
        case .monthly(let every, let days):
            let (year, month, number) = day.civil
            let (firstYear, firstMonth, _) = start.civil
            let months = (year - firstYear) * 12 + month - firstMonth
            guard months % Swift.max(1, every) == 0 else { return false }
            let isLast = number == CalendarDay.length(ofMonth: month, in: year)
            return days.contains(number) || isLast && days.contains(-1)
        }
    }

    /// The Sunday before the week of the day.
    private func dayBeforeWeek(of day: CalendarDay) -> Int { day.number - day.weekday }
}
