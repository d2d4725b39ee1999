import Foundation
import Model
import Scheduling

/// The days of a rehearsal as a picture: where everything stands, in points.
package struct RehearsalCalendar: Sendable {
    package struct Mark: Sendable {
        package let x: Int
        package let text: String
    }

    package struct Cell: Sendable {
        package let day: CalendarDay
        package let count: Int
        package let x: Int
        package let y: Int
        /// Of the text.
        package let middle: Int
        package let baseline: Int
        /// Empty for nothing.
        package let text: String
        /// How strongly it is filled, from 0 to 1.
        package let shade: String
    }

    package struct Line: Sendable {
        package let source: RehearsalSource
        /// Shortened.
        package let label: String
        package let baseline: Int
        package let cells: [Cell]
    }

    package static let cell = (width: 32, height: 26)
    private static let head = 40
    private static let longestLabel = 36

    package let width: Int
    package let height: Int
    package let months: [Mark]
    package let days: [Mark]
    package let lines: [Line]

    package init(_ result: RehearsalResult) {
        let first = WallClock.day(of: result.settings.from, in: result.zone)
        let last = WallClock.day(of: result.settings.end.addingTimeInterval(-1), in: result.zone)
        let all = (first.number...max(first.number, last.number)).map(CalendarDay.init(number:))
        let (wide, high) = Self.cell
        let sources = result.sources
        let labels = sources.map { Self.short($0.name) }
        let left = 16 + (labels.map(Self.width).max() ?? 0)
        let most = result.days.values.flatMap(\.values).map(\.sent).max() ?? 0
        width = left + all.count * wide + 1
        height = Self.head + sources.count * high + 1
        months = all.enumerated().compactMap { column, day in
            guard column == 0 || day.civil.day == 1 else { return nil }
            return Mark(
                x: left + column * wide + 2,
                text: "\(day.civil.year)-\(Self.twoDigits(day.civil.month))"
            )
        }
        days = all.enumerated().map { column, day in
            Mark(x: left + column * wide + wide / 2, text: Self.twoDigits(day.civil.day))
        }
        lines = zip(sources, labels).enumerated().map { row, line in
            let (source, label) = line
            let y = Self.head + row * high
            return Line(
                source: source,
                label: label,
                baseline: y + 17,
                cells: all.enumerated().map { column, day in
                    let count = result.days[day]?[source]?.sent ?? 0
                    let x = left + column * wide
                    let shade =
                        count == 0 ? 0 : 0.12 + 0.5 * Double(count) / Double(max(1, most))
                    return Cell(
                        day: day,
                        count: count,
                        x: x,
                        y: y,
                        middle: x + wide / 2,
                        baseline: y + 17,
                        text: count == 0 ? "" : Self.compact(count),
                        shade: String(format: "%.2f", shade)
                    )
                }
            )
        }
    }

    /// Letters of Chinese and Japanese are as wide as they are high.
    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 12 : 7) }
    }

    private static func short(_ text: String) -> String {
        text.count <= longestLabel ? text : text.prefix(longestLabel - 1) + "…"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func compact(_ count: Int) -> String {
        switch count {
        case ..<10_000: "\(count)"
        case ..<1_000_000: "\(count / 1_000)k"
        default: "\(count / 1_000_000)M"
        }
    }
}
