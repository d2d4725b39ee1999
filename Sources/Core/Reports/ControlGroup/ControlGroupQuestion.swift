import Model
import Reasons

/// Whether those who get messages do something more often than the workspace's control group.
package struct ControlGroupQuestion: Sendable, Hashable {
    package var period: ReportPeriod
    package var activity: ReportActivity
    /// The currency in which what users pay is compared; `nil` compares only how many do it.
    package var currency: String?
    package var audience: SegmentQuery?
    /// The smallest relative lift that is worth knowing, above 0.
    package var smallestLift: Double

    package init(
        period: ReportPeriod,
        activity: ReportActivity,
        currency: String? = nil,
        audience: SegmentQuery? = nil,
        smallestLift: Double
    ) {
        self.period = period
        self.activity = activity
        self.currency = currency
        self.audience = audience
        self.smallestLift = smallestLift
    }

    package func check() throws(FieldProblem) {
        try period.check()
        try activity.check("activity")
        guard currency != nil else { return }
        guard case .purchase = activity.subject else {
            throw FieldProblem("currency", .notPaid)
        }
    }
}
