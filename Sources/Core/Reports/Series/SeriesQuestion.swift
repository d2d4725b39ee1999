import Model
import Reasons
import Segments

/// How much of something there was in each interval.
package struct SeriesQuestion: Sendable, Hashable {
    package enum Figure: Sendable, Hashable {
        /// Events, pieces that were bought, or sessions.
        case activity(ReportActivity)
        /// What was paid in a currency, by purchases with these properties.
        case revenue(ReportActivity, currency: String)
        /// Users by the time at which the server first heard of them.
        case newUsers
    }

    package enum Measure: String, Sendable, Hashable, CaseIterable {
        case total
        /// Different users.
        case users
        /// The total for each of these users.
        case perUser = "per_user"
    }

    package var period: ReportPeriod
    package var figure: Figure
    package var measure: Measure
    /// Whether the same number of intervals right before is counted too.
    package var isCompared: Bool
    /// Only these users; `nil` for everybody.
    package var audience: SegmentQuery?
    package var breakdown: ReportBreakdown?

    package init(
        period: ReportPeriod,
        figure: Figure,
        measure: Measure = .total,
        isCompared: Bool = false,
        audience: SegmentQuery? = nil,
        breakdown: ReportBreakdown? = nil
    ) {
        self.period = period
        self.figure = figure
        self.measure = measure
        self.isCompared = isCompared
        self.audience = audience
        self.breakdown = breakdown
    }

    /// What occurrences are counted; new users have none.
    package var activity: ReportActivity? {
        switch figure {
        case .activity(let activity), .revenue(let activity, _): activity
        case .newUsers: nil
        }
    }

    package func check() throws(FieldProblem) {
        try period.check()
        if isCompared { _ = try period.boundaries(before: period.length) }
        try activity?.check("series")
        try breakdown?.check()
        if figure == .newUsers, breakdown?.property != nil {
            throw FieldProblem("breakdown.by", .noOccurrence)
        }
    }
}
