import Model
import Reasons
import Segments

/// By what a report is taken apart.
package struct ReportBreakdown: Sendable, Hashable {
    package enum Trait: Sendable, Hashable {
        /// Of a user's devices; who has several platforms is in each of them.
        case platform
        /// Of a user's devices.
        case app
        /// An attribute of the user as it is now. Each element of a list is a value of its own.
        case attribute(AttributeReference)
        /// Each of these, with the users who are in it now.
        case segments([SegmentID])
        /// Of the occurrence: of a funnel's first step, of a retention's first event.
        case property(AttributePath)
    }

    package var trait: Trait
    /// How many values are shown by themselves; the rest is one group.
    package var limit: Int

    package init(_ trait: Trait, limit: Int = ReportLimits.usualValues) {
        self.trait = trait
        self.limit = limit
    }

    package var property: AttributePath? {
        if case .property(let path) = trait { path } else { nil }
    }

    func check() throws(FieldProblem) {
        try ReportLimits.check(limit, ReportLimits.values, "breakdown.limit")
        switch trait {
        case .platform, .app, .attribute(.standard): break
        case .attribute(.custom(let path)), .property(let path):
            if path.reachesMany { throw FieldProblem("breakdown.name", .manyValues) }
        case .segments(let segments):
            try ReportLimits.check(segments.count, ReportLimits.segments, "breakdown.segments")
        }
    }
}

/// One part of a report that is taken apart.
package enum ReportGroup: Sendable, Hashable {
    case value(String)
    case segment(SegmentID)
    /// Without a value, or in none of the segments.
    case missing
    /// All values that are not shown by themselves.
    case other
}
