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
                text: words("service.there_is_a_segment_called_already", ["name": name])
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
        case .audience(let reason): self.init(field: "condition", text: words.said(reason))
        }
    }

    private init(_ problem: SegmentProblem, in condition: String, _ words: Words) {
        let place = problem.lineAndColumn(in: condition)
            .map { "line \($0.line), column \($0.column): " }
        self.init(field: "condition", text: words.said((place ?? "") + problem.message))
    }

    init(_ fault: ConditionForm.Fault, _ words: Words) {
        self.init(field: "condition", text: words(fault.key, ["name": fault.name]))
    }
}
