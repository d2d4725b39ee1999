import Model
import Segments

/// What users are who match now: how many have each value.
package struct CompositionQuestion: Sendable, Hashable {
    /// Only these users; `nil` for everybody.
    package var audience: SegmentQuery?
    package var breakdown: ReportBreakdown

    package init(audience: SegmentQuery? = nil, breakdown: ReportBreakdown) {
        self.audience = audience
        self.breakdown = breakdown
    }

    package func check() throws(FieldProblem) {
        if breakdown.property != nil { throw FieldProblem("breakdown.by", .noOccurrence) }
        try breakdown.check()
    }
}
