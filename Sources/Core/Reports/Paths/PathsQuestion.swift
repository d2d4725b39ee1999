import Model
import Reasons
import Segments

/// What users do next after something, or did before it.
package struct PathsQuestion: Sendable, Hashable {
    package enum Direction: String, Sendable, Hashable, CaseIterable {
        /// From the user's first occurrence in the period on.
        case after
        /// Back from the user's last occurrence in the period.
        case before
    }

    /// In which the occurrence lies that a path begins with; its steps may lie outside.
    package var period: ReportPeriod
    package var direction: Direction
    /// What every path begins with.
    package var start: ReportActivity
    /// How many steps are looked at besides it.
    package var length: Int
    /// The longest time from it to a step, in seconds.
    package var window: Int
    /// What is no step, whatever its properties.
    package var leftOut: [ReportActivity]
    /// Only these users; `nil` for everybody.
    package var audience: SegmentQuery?
    /// How many kinds are shown by themselves at each step; the rest is one.
    package var limit: Int

    package init(
        period: ReportPeriod,
        direction: Direction = .after,
        start: ReportActivity,
        length: Int,
        window: Int,
        leftOut: [ReportActivity] = [],
        audience: SegmentQuery? = nil,
        limit: Int = ReportLimits.usualPathKinds
    ) {
        self.period = period
        self.direction = direction
        self.start = start
        self.length = length
        self.window = window
        self.leftOut = leftOut
        self.audience = audience
        self.limit = limit
    }

    package func check() throws(FieldProblem) {
        try period.check()
        try start.check("start")
        try ReportLimits.check(length, ReportLimits.pathSteps, "steps")
        try ReportLimits.check(window, 1...ReportLimits.longestWindow, "window_seconds")
        try ReportLimits.check(leftOut.count, 0...ReportLimits.pathExceptions, "leave_out")
        for (number, activity) in leftOut.enumerated() {
            try activity.check("leave_out.\(number)")
        }
        try ReportLimits.check(limit, ReportLimits.values, "limit")
    }

    /// Whether a kind is no step of a path.
    package func leavesOut(_ kind: PathKind) -> Bool {
        leftOut.contains { PathKind($0) == kind }
    }
}
