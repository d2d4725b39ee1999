import Foundation
import Model
import WebPages

/// The days that the overview counts: the last ones, or those between two dates.
struct OverviewSpan {
    /// The longest that can be asked for: with the days before it is read twice.
    private static let longest = 366

    let days: Int
    /// The start of the last day; `nil` where that is today.
    let last: Date?
    /// Both days as date fields write them; empty where none was chosen.
    let from: String
    let until: String

    /// What an address asks for. Days to come are left out, and a longer time loses its beginning.
    init(_ context: ConsoleContext) {
        let calendar = LocalDays(context.zone)
        let today = calendar.start(of: context.now)
        func day(_ field: String) -> Date? {
            calendar.day(named: context.query[field])
        }
        guard let chosen = day("from") else {
            (days, last) = (OverviewPage.days(context.query), nil)
            (from, until) = ("", "")
            return
        }
        let other = day("until") ?? today
        let first = min(chosen, other, today)
        let last = min(max(chosen, other), today)
        days = min(calendar.count(from: first, to: last) + 1, Self.longest)
        self.last = last
        from = calendar.name(of: calendar.start(of: last, adding: 1 - days))
        until = calendar.name(of: last)
    }
}
