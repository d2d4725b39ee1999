import Audience
import Segments
import WebPages

extension FormFault {
    /// The error of a segment's form.
    init(_ refusal: SegmentService.Refusal, in condition: String, _ words: Words) {
        switch refusal {
        case .name:
            self.init(
                field: "name",
                text: words("fault.name_length", ["most": words.number(SegmentService.nameLimit)])
            )
        case .nameTaken(let name):
            self.init(
                field: "name",
                text: words("segments.name_taken", ["name": name])
            )
        case .isUsed(let segment):
            self.init(field: "name", text: words("fault.used", ["names": segment]))
        case .definition(let problem): self.init(problem, in: condition, words)
        }
    }

    /// The reason why a condition cannot be evaluated.
    init(_ problem: SegmentInspector.Problem, in condition: String, _ words: Words) {
        switch problem {
        case .text(let problem): self.init(problem, in: condition, words)
        case .audience(let reason): self.init(field: "condition", text: words(reason))
        }
    }

    private init(_ problem: SegmentProblem, in condition: String, _ words: Words) {
        self.init(field: "condition", text: words(problem.placed(in: condition)))
    }

    init(_ fault: ConditionForm.Fault, _ words: Words) {
        self.init(field: "condition", text: words(fault.key, ["name": fault.name]))
    }
}
