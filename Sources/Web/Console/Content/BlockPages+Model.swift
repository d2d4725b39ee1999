import Foundation
import Model
import WebPages

/// The list of content blocks.
struct BlocksPage {
    struct Row {
        let address: String
        let name: String
        let description: String
        let isDraft: Bool
        let uses: String
        let changed: Moment
    }

    let tabs: [ContentTabs.Tab]
    let rows: [Row]
    let isEmpty: Bool
    let mayWrite: Bool
    let newAddress: String

    init(_ blocks: [BlockRow], visit: Visit) {
        tabs = ContentTabs(current: .contentBlocks, visit.words).tabs
        rows = blocks.map { block in
            Row(
                address: ConsolePath.contentBlock(block.id).path,
                name: block.name,
                description: block.description,
                isDraft: block.isDraft,
                uses: visit.words.number(block.uses),
                changed: visit.moment(block.changedAt)
            )
        }
        isEmpty = rows.isEmpty
        mayWrite = visit.may(.marketer)
        newAddress = ConsolePath.newContentBlock.path
    }
}

/// The editor of one content block.
struct BlockPage {
    let heading: String
    let tag: String?
    let isActive: Bool
    let name: FormField
    let description: FormField
    let content: FormField
    let tags: String
    let uses: [ContentUseLink]
    let isUsed: Bool
    let problem: String?
    let action: String
    let listAddress: String
    let deleteAddress: String?
    let deleteQuestion: String
    let mayWrite: Bool

    init(_ draft: BlockDraft, known: BlockDetail?, rejected: ContentRejected?, visit: Visit) {
        let words = visit.words
        func field(_ name: String, _ value: String) -> FormField {
            FormField(
                value: value,
                fault: rejected.flatMap { $0.field == name ? $0.text(words) : nil }
            )
        }
        heading = known?.row.name ?? words("blocks.new")
        tag = known.map { "{{content_blocks.${\($0.row.name)}}}" }
        isActive = !draft.isDraft
        name = field("name", draft.name)
        description = field("description", draft.description)
        content = field("content", draft.content)
        tags = draft.tags.joined(separator: ", ")
        uses = (known?.uses ?? []).map { ContentUseLink($0, words) }
        isUsed = !uses.isEmpty
        problem = rejected.flatMap { $0.field.isEmpty ? $0.text(words) : nil }
        action =
            (known.map { ConsolePath.contentBlock($0.row.id) } ?? .newContentBlock).path
        listAddress = ConsolePath.contentBlocks.path
        mayWrite = visit.may(.marketer)
        deleteAddress =
            mayWrite ? known.map { ConsolePath.deleteContentBlock($0.row.id).path } : nil
        deleteQuestion = words("blocks.delete_confirm", ["name": heading])
    }
}

/// A field of a form with what was typed and what is wrong with it.
struct FormField {
    let value: String
    let fault: String?
}

extension BlockDraft {
    init(fields: FormFields) {
        self.init()
        func line(_ name: String) -> String {
            fields[name].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        name = line("name")
        description = line("description")
        content = fields["content"].replacingOccurrences(of: "\r\n", with: "\n")
        tags = fields["tags"].split { ",、，".contains($0) }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        isDraft = fields["state"] == "draft"
    }

    init(_ detail: BlockDetail) {
        self.init()
        name = detail.row.name
        description = detail.row.description
        content = detail.content
        tags = detail.tags
        isDraft = detail.row.isDraft
    }
}
