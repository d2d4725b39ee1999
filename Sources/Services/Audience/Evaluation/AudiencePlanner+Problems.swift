import Model
import Reasons
import Segments

/// Why a rule cannot be planned.
extension AudiencePlanner {
    static func needsRows(_ condition: SegmentCondition) -> AudienceProblem {
        AudienceProblem(.needsRows, .needsRows, ["text": .text(SegmentWriter.text(condition))])
    }

    static func nested(_ segment: String) -> AudienceProblem {
        AudienceProblem(.invalidFilter, .nested, ["id": .text(segment)])
    }

    static func unusable(_ error: PatternError, in condition: SegmentCondition) -> AudienceProblem {
        AudienceProblem(
            .invalidFilter,
            .pattern,
            [
                "text": .text(SegmentWriter.text(condition)), "offset": "\(error.offset)",
                "reason": .reason(error.reason),
            ]
        )
    }
}
