import Model
import Reasons
import Segments

/// How many users come back, and when.
package struct RetentionQuestion: Sendable, Hashable {
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        /// In the interval that is so many after that of the first event, by the calendar.
        case nDay = "n_day"
        /// In that interval or a later one.
        case unbounded
        /// In the interval that is so many after the first event, counted from its own second.
        case rolling
    }

    package enum Cohort: String, Sendable, Hashable, CaseIterable {
        /// A user is in the interval of the first event ever, and in no other.
        case first
        /// A user is in each interval with such an event.
        case recurring
    }

    /// The cohorts, by day, week or month.
    package var period: ReportPeriod
    package var cohort: Cohort
    package var mode: Mode
    /// How many intervals after the first are looked at.
    package var intervals: Int
    package var first: ReportActivity
    package var returning: ReportActivity
    /// Only these users; `nil` for everybody.
    package var audience: SegmentQuery?
    package var breakdown: ReportBreakdown?

    package init(
        period: ReportPeriod,
        cohort: Cohort,
        mode: Mode,
        intervals: Int,
        first: ReportActivity,
        returning: ReportActivity,
        audience: SegmentQuery? = nil,
        breakdown: ReportBreakdown? = nil
    ) {
        self.period = period
        self.cohort = cohort
        self.mode = mode
        self.intervals = intervals
        self.first = first
        self.returning = returning
        self.audience = audience
        self.breakdown = breakdown
    }

    package func check() throws(FieldProblem) {
        guard period.unit != .hour else { throw FieldProblem("unit", .unit) }
        try ReportLimits.check(period.length, ReportLimits.cohorts, "length")
        try period.check()
        try ReportLimits.check(intervals, ReportLimits.retentionIntervals, "intervals")
        _ = try period.boundaries(after: intervals)
        try first.check("first")
        try returning.check("returning")
        try breakdown?.check()
    }
}
