import Foundation
import Model
import WebPages

/// The form of a content block.
struct BlockForm {
    var name = ""
    var description = ""
    var content = ""
    var tags: [String] = []
    var isDraft = false

    /// A new one.
    init() {}

    init(_ block: ContentBlock) {
        name = block.name
        description = block.description
        content = block.content
        tags = block.tags
        isDraft = block.state == .draft
    }

    init(fields: FormFields) {
        name = fields.trimmed("name")
        description = fields.trimmed("description")
        content = fields["content"]
        tags = fields["tags"].split { ",、，".contains($0) }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        isDraft = fields["state"] == "draft"
    }

    func apply(to block: inout ContentBlock) {
        block.name = name
        block.description = description
        block.content = content.written(over: block.content)
        block.tags = tags
        block.state = isDraft ? .draft : .active
    }
}
