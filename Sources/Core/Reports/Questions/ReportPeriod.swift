import Foundation
import Model
import Reasons
import Segments

package enum ReportUnit: String, Sendable, Hashable, CaseIterable {
    case hour, day, week, month

    /// How many of them a period may have: a month of hours, a year of days, two years of weeks,
    /// five years of months.
    package var lengths: ClosedRange<Int> {
        switch self {
        case .hour: 1...744
        case .day: 1...400
        case .week: 1...106
        case .month: 1...60
        }
    }

    /// The length in seconds, where it is counted from a user's own moment and not by the calendar: a
    /// month is 30 days then.
    package var seconds: Int64 {
        switch self {
        case .hour: 3_600
        case .day: 86_400
        case .week: 604_800
        case .month: 2_592_000
        }
    }
}

/// The last intervals up to the one that has a moment: whole hours, days, weeks or months of a zone.
///
/// A day begins at midnight there, so that some have 23 or 25 hours; a week begins on Monday. Hours
/// are counted in real time: when clocks go back one comes twice.
package struct ReportPeriod: Sendable, Hashable {
    package var unit: ReportUnit
    package var length: Int
    package var end: Date
    package var zone: TimeZone

    package init(_ unit: ReportUnit, length: Int, endingAt end: Date, in zone: TimeZone) {
        self.unit = unit
        self.length = length
        self.end = end
        self.zone = zone
    }

    func check() throws(FieldProblem) {
        try ReportLimits.check(length, unit.lengths, "length")
        _ = try boundaries()
    }

    /// The beginnings of the intervals in Unix seconds, and the end of the last.
    ///
    /// - Parameters:
    ///   - before: Intervals before those of the period.
    ///   - after: Intervals behind them.
    package func boundaries(before: Int = 0, after: Int = 0) throws(FieldProblem) -> [Int64] {
        let days = LocalDays(zone)
        var starts: [Int64] = []
        for number in (1 - length - before)...(1 + after) {
            guard let start = start(number, days) else {
                throw FieldProblem("ending_at", .farAway)
            }
            // A day that a zone leaves out has no length.
            starts.append(max(start, starts.last ?? start))
        }
        return starts
    }

    /// The beginning of the interval that is `number` after the last one.
    private func start(_ number: Int, _ days: LocalDays) -> Int64? {
        let date: Date?
        switch unit {
        case .hour:
            date = days.hours(1, endingAt: end).first?.addingTimeInterval(Double(number) * 3_600)
        case .day: date = days.start(of: end, adding: number)
        case .week:
            date = day(of: end, days).map { today in
                // The first of January 1970 was a Thursday.
                let sinceMonday = Int((today.daysSinceEpoch + 3) % 7 + 7) % 7
                return days.start(of: end, adding: number * 7 - sinceMonday)
            }
        case .month: date = day(of: end, days).flatMap { month(number, after: $0, days) }
        }
        guard let date, Timestamp.milliseconds.contains(date.milliseconds) else { return nil }
        return Int64(date.timeIntervalSince1970.rounded(.down))
    }

    private func day(of date: Date, _ days: LocalDays) -> CivilDay? {
        let parts = days.name(of: date).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return CivilDay(year: Int64(parts[0]), month: parts[1], day: parts[2])
    }

    private func month(_ number: Int, after day: CivilDay, _ days: LocalDays) -> Date? {
        let months = Int(day.year) * 12 + day.month - 1 + number
        guard months >= 0 else { return nil }
        let (year, month) = months.quotientAndRemainder(dividingBy: 12)
        func digits(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return days.parse("\(digits(year, 4))-\(digits(month + 1, 2))-01").map(days.start(of:))
    }

    /// What an interval is called: the date of its first day, or the moment at which its hour begins.
    package func name(ofIntervalAt start: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(start))
        return unit == .hour ? Timestamp.format(date) : LocalDays(zone).name(of: date)
    }

    package func interval(at start: Int64) -> ReportInterval {
        ReportInterval(
            start: Date(timeIntervalSince1970: Double(start)),
            unit: unit,
            zone: zone,
            name: name(ofIntervalAt: start)
        )
    }
}
