import Analytics
import Foundation
import Model
import WebPages

/// The figures of a period, each beside the period before.
struct OverviewFigures {
    private let overview: Overview
    private let words: Words
    private let recently: String

    /// - Parameter period: The days in words; `nil` for the last ones.
    init(_ overview: Overview, _ words: Words, period: String? = nil) {
        self.overview = overview
        self.words = words
        recently = period ?? words.counted("overview.last_days", overview.days.count)
    }

    /// The open rate, and what it is made of.
    var answer: [OverviewPage.Figure] {
        let delivered = sums(\.delivered)
        let opened = sums(\.opened)
        var rate = OverviewPage.Figure(
            label: words("push.rate"),
            value: words.percent(opened.now, of: delivered.now),
            change: nil,
            isRise: true,
            hint: recently
        )
        if delivered.now > 0, delivered.before > 0 {
            let points =
                (Double(opened.now) / Double(delivered.now)
                    - Double(opened.before) / Double(delivered.before)) * 100
            let shown = (abs(points) * 10).rounded() / 10
            if shown > 0 {
                rate.change = words("overview.points", ["points": words.amount(shown)])
                rate.isRise = points > 0
            }
        }
        return [
            rate, compared("overview.delivered", delivered), compared("overview.opened", opened),
        ]
    }

    /// Who is there, and what they did.
    var activity: [OverviewPage.Figure] {
        var figures = [
            OverviewPage.Figure(
                label: words("overview.users"),
                value: words.number(overview.users),
                change: nil,
                isRise: true,
                hint: words("overview.users_hint")
            ),
            OverviewPage.Figure(
                label: words("overview.reachable"),
                value: words.number(overview.reachableDevices),
                change: nil,
                isRise: true,
                hint: words("overview.reachable_hint")
            ),
            drawn("reports.new_users", \.newUsers), drawn("overview.sessions", \.sessions),
        ]
        if let revenue = overview.revenue {
            figures.append(
                OverviewPage.Figure(
                    label: words("overview.revenue", ["currency": revenue.currency]),
                    value: words.amount(revenue.amount),
                    change: words.change(from: revenue.previous, to: revenue.amount),
                    isRise: revenue.amount >= revenue.previous,
                    hint: recently,
                    chart: chart(revenue.days.map(LineChart.whole))
                )
            )
        }
        return figures
    }

    private func sums(_ value: (PeriodCounts) -> Int) -> (now: Int, before: Int) {
        (
            overview.days.map(value).reduce(0, +), overview.previousDays.map(value).reduce(0, +)
        )
    }

    private func drawn(
        _ key: String,
        _ value: (PeriodCounts) -> Int
    ) -> OverviewPage.Figure {
        var figure = compared(key, sums(value))
        figure.chart = chart(overview.days.map(value))
        return figure
    }

    private func chart(_ days: [Int]) -> SmallChart? {
        guard days.count > 1, days.contains(where: { $0 > 0 }) else { return nil }
        return SmallChart(days, label: days.map { words.number($0) }.joined(separator: ", "))
    }

    private func compared(_ key: String, _ sums: (now: Int, before: Int)) -> OverviewPage.Figure {
        OverviewPage.Figure(
            label: words(key),
            value: words.number(sums.now),
            change: words.change(from: Double(sums.before), to: Double(sums.now)),
            isRise: sums.now >= sums.before,
            hint: recently
        )
    }
}

extension Words {
    /// A growth beyond this share says nothing but that there was hardly anything before.
    private static let mostGrowth = 9.99

    /// `nil` where nothing has changed, or by less than is shown; "new" where there was nothing, or hardly anything, before.
    func change(from before: Double, to now: Double) -> String? {
        guard now != before else { return nil }
        guard before > 0 else { return now > 0 ? self("overview.new") : nil }
        let share = (now - before) / before
        guard abs(share) >= 0.005 else { return nil }
        guard share <= Self.mostGrowth else { return self("overview.new") }
        return share.formatted(
            .percent.precision(.fractionLength(0)).sign(strategy: .never)
                .locale(language.locale)
        )
    }
}
