import Model
import Reasons
import Segments

/// Why a rule cannot be planned.
extension AudiencePlanner {
    static func needsRows(_ condition: SegmentCondition) -> AudienceError {
        AudienceError(.needsRows, .needsRows, ["text": .text(SegmentWriter.text(condition))])
    }

    static func nested(_ segment: String) -> AudienceError {
        AudienceError(.invalidFilter, .nested, ["id": .text(segment)])
    }

    /// - Throws: `AudienceError` if the rule has more filters, with those of the segments that it
    ///   names, than can be evaluated.
    static func checkSize(of rule: SegmentRule, _ directory: any SegmentResolver) throws {
        guard rule.filterCount(in: directory) > mostFilters else { return }
        throw AudienceError(
            .invalidFilter,
            .matching,
            ["reason": .reason(Reason(SegmentReason.filterLimit, ["count": "\(mostFilters)"]))]
        )
    }

    /// More than a segment may have when it is saved: those that it names may have grown since.
    private static let mostFilters = 10_000

    static func unusable(_ error: PatternError, in condition: SegmentCondition) -> AudienceError {
        AudienceError(
            .invalidFilter,
            .pattern,
            [
                "text": .text(SegmentWriter.text(condition)), "offset": "\(error.offset)",
                "reason": .reason(error.reason),
            ]
        )
    }
}
