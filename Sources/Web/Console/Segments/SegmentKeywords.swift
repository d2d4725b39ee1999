import Model
import Segments
import WebPages

extension FormFieldError {
    /// Why a condition cannot be evaluated; `nil` for other errors.
    init?(evaluating condition: String, _ error: any Error, _ words: Words) {
        switch error {
        case let problem as SegmentError:
            self.init(field: "condition", text: words(problem.placed(in: condition)))
        case let problem as AudienceError:
            self.init(field: "condition", text: words(problem.reason))
        default: return nil
        }
    }
}
