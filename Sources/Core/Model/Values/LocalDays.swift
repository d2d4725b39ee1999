import Foundation

/// The days and hours of a time zone. A day begins at local midnight, so that some days have 23 or
/// 25 hours.
package struct LocalDays: Sendable {
    private let calendar: Calendar

    package var timeZone: TimeZone { calendar.timeZone }

    package init(_ timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// The start of the day that contains `date`.
    package func start(of date: Date) -> Date { calendar.startOfDay(for: date) }

    /// The start of the day that is `days` after that of `date`.
    package func start(of date: Date, adding days: Int) -> Date {
        // Counted from noon, because midnight may not exist on the resulting day.
        let noon = calendar.startOfDay(for: date).addingTimeInterval(12 * 3600)
        let moved = calendar.date(byAdding: .day, value: days, to: noon) ?? noon
        return calendar.startOfDay(for: moved)
    }

    /// The starts of the `count` days that end with that of `date`, and the end of the last.
    package func days(_ count: Int, endingAt date: Date) -> [Date] {
        (0...count).map { start(of: date, adding: $0 - count + 1) }
    }

    /// The starts of the `count` hours that end with that of `date`, and the end of the last.
    package func hours(_ count: Int, endingAt date: Date) -> [Date] {
        // Hours are counted in elapsed time: when clocks go back one of them occurs twice.
        let offset = Double(calendar.timeZone.secondsFromGMT(for: date))
        let local = date.timeIntervalSince1970 + offset
        let last = (local / 3600).rounded(.down) * 3600 - offset
        return (0...count).map {
            Date(timeIntervalSince1970: last + Double($0 - count + 1) * 3600)
        }
    }

    /// The date of the day that contains `date`, such as `2026-07-04`.
    package func name(of date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return [(parts.year ?? 0, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)]
            .map { number, width in
                let digits = String(number)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            .joined(separator: "-")
    }

    /// The start of the day with a date such as `2026-07-04`; `nil` where the calendar has no such day.
    package func day(named name: String) -> Date? {
        guard let noon = parse(name), name.utf8.count == 10 else { return nil }
        let day = start(of: noon)
        return self.name(of: day) == name ? day : nil
    }

    /// When the day with a date such as `2026-07-04` is over; `nil` where the calendar has no such day.
    package func end(ofDayNamed name: String) -> Date? {
        day(named: name).map { start(of: $0, adding: 1) }
    }

    /// Whether a day begins at `date`.
    package func isStart(_ date: Date) -> Bool { start(of: date) == date }

    /// How many days lie between the days of two moments: 1 from one day to the next, however long it is.
    package func count(from first: Date, to last: Date) -> Int {
        guard let first = CalendarDay(name(of: first)), let last = CalendarDay(name(of: last))
        else { return 0 }
        return last.number - first.number
    }

    /// The point in time that `text` means: a date alone means that local day.
    package func parse(_ text: String) -> Date? {
        guard let date = Timestamp.parse(text) else { return nil }
        guard text.utf8.count == 10 else { return date }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return calendar.date(
            from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12)
        )
    }
}
