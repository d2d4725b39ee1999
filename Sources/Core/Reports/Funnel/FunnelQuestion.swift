import Model
import Reasons
import Segments

/// How many users do one thing after another.
package struct FunnelQuestion: Sendable, Hashable {
    /// What ends an attempt when it happens between two steps.
    package struct Exclusion: Sendable, Hashable {
        package var activity: ReportActivity
        /// It counts from behind this step on; the first step is 0.
        package var after: Int
        /// And up to this one.
        package var before: Int

        package init(_ activity: ReportActivity, after: Int, before: Int) {
            self.activity = activity
            self.after = after
            self.before = before
        }
    }

    /// In which attempts begin; further steps may come later.
    package var period: ReportPeriod
    package var steps: [ReportActivity]
    /// The longest time from the first step to the last, in seconds.
    package var window: Int
    package var exclusions: [Exclusion]
    /// A property that has the same value at all steps of an attempt; what does not have it is no step.
    package var constant: AttributePath?
    /// Only these users; `nil` for everybody.
    package var audience: SegmentQuery?
    package var breakdown: ReportBreakdown?

    package init(
        period: ReportPeriod,
        steps: [ReportActivity],
        window: Int,
        exclusions: [Exclusion] = [],
        constant: AttributePath? = nil,
        audience: SegmentQuery? = nil,
        breakdown: ReportBreakdown? = nil
    ) {
        self.period = period
        self.steps = steps
        self.window = window
        self.exclusions = exclusions
        self.constant = constant
        self.audience = audience
        self.breakdown = breakdown
    }

    package func check() throws(FieldProblem) {
        try period.check()
        try ReportLimits.check(steps.count, ReportLimits.steps, "steps")
        for (number, step) in steps.enumerated() { try step.check("steps.\(number)") }
        try ReportLimits.check(window, 1...ReportLimits.longestWindow, "window_seconds")
        try ReportLimits.check(exclusions.count, 0...ReportLimits.exclusions, "exclusions")
        for (number, exclusion) in exclusions.enumerated() {
            let field = "exclusions.\(number)"
            try exclusion.activity.check(field)
            try ReportLimits.check(exclusion.after, 0...(steps.count - 2), "\(field).after_step")
            try ReportLimits.check(exclusion.before, 1...(steps.count - 1), "\(field).before_step")
            guard exclusion.after < exclusion.before else {
                throw FieldProblem("\(field).before_step", .stepOrder)
            }
        }
        if constant?.reachesMany == true { throw FieldProblem("hold_constant", .manyValues) }
        try breakdown?.check()
    }
}
