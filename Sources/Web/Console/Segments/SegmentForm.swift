import Audience
import WebPages

/// The form of a segment.
struct SegmentForm {
    var name = ""
    /// In the segment language.
    var condition = ""

    init(name: String = "", condition: String) {
        self.name = name
        self.condition = condition
    }

    init(fields: FormFields) {
        name = fields.trimmed("name")
        condition = fields.trimmed("condition")
    }

    var draft: SegmentService.Draft {
        SegmentService.Draft(name: name, definition: .text(condition))
    }
}
