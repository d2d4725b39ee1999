import Model
import Reasons

/// How much one report may ask for. Each bounds what it costs to answer.
package enum ReportLimits {
    package static let steps = 2...10
    /// The longest time from a funnel's first step to its last, in seconds: 366 days.
    package static let longestWindow = 366 * 86_400
    package static let exclusions = 10
    /// Conditions on the properties of one activity.
    package static let properties = 10
    package static let products = 50
    /// Cohorts of a retention, and intervals after the first.
    package static let cohorts = 1...100
    package static let retentionIntervals = 1...100
    /// Values of a breakdown that are shown by themselves.
    package static let values = 1...20
    package static let usualValues = 10
    /// Segments that a breakdown names.
    package static let segments = 1...10
    /// Steps of a path besides the one that it begins with. Eight fit into ``PathSteps``.
    package static let pathSteps = 1...8
    /// Kinds that are no steps of paths.
    package static let pathExceptions = 50
    package static let usualPathKinds = 5
    /// Whole paths that an answer lists.
    package static let shownPaths = 20
    /// Stored events that one report reads, where columns do not know what it asks: it holds them in
    /// memory, about 40 bytes each.
    package static let rows = 5_000_000

    static func check(
        _ number: Int,
        _ range: ClosedRange<Int>,
        _ field: String
    ) throws(FieldProblem) {
        guard range.contains(number) else {
            throw FieldProblem(
                field,
                .outOfRange,
                ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"]
            )
        }
    }
}
