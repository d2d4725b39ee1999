import Foundation
import Model

/// A month, as `2026-11`.
struct CalendarMonth: Hashable, CustomStringConvertible {
    let first: CalendarDay

    init(of day: CalendarDay) {
        let parts = day.description.split(separator: "-")
        first = parts.last.flatMap { Int($0) }.map { day.adding(days: 1 - $0) } ?? day
    }

    /// `nil` if there is no such month.
    init?(_ text: String) {
        guard let first = CalendarDay(text + "-01") else { return nil }
        self.first = first
    }

    var description: String { String(first.description.dropLast(3)) }

    private var last: CalendarDay {
        let next = CalendarMonth(of: first.adding(days: 31))
        return next == self ? .last : next.first.adding(days: -1)
    }

    /// Whole weeks, from Monday, that hold all of it.
    var weeks: ClosedRange<CalendarDay> {
        first.adding(days: 1 - first.weekday)...last.adding(days: 7 - last.weekday)
    }

    /// `nil` before the first possible month.
    var previous: CalendarMonth? {
        first == .first ? nil : CalendarMonth(of: first.adding(days: -1))
    }

    /// `nil` after the last possible month.
    var next: CalendarMonth? {
        last == .last ? nil : CalendarMonth(of: last.adding(days: 1))
    }
}

extension CalendarDay {
    /// Midday in London, for formats that take a moment.
    var noon: Date { Date(timeIntervalSince1970: Double(number) * 86_400 + 43_200) }
}
