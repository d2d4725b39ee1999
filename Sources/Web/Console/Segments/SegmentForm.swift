import Audience
import Foundation
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
        name = fields["name"].trimmingCharacters(in: .whitespaces)
        condition = fields["condition"].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var draft: SegmentService.Draft {
        SegmentService.Draft(name: name, definition: .text(condition))
    }
}
