import Content
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

    init(_ uses: ContentUses, context: ConsoleContext) {
        tabs = ContentTabs(current: .contentBlocks, context.words).tabs
        rows = uses.blocks.map { block in
            Row(
                address: ConsolePath.contentBlock(block.id).path,
                name: block.name,
                description: block.description,
                isDraft: block.state == .draft,
                uses: context.words.number(uses.holders(ofBlock: block.name).count),
                changed: context.moment(block.updatedAt)
            )
        }
        isEmpty = rows.isEmpty
        mayWrite = context.hasRole(atLeast: .marketer)
        newAddress = ConsolePath.newContentBlock.path
    }
}

/// The editor of one content block.
struct BlockEditorPage {
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

    /// - Parameter holders: The objects that use the block.
    init(
        _ form: BlockForm,
        known: ContentBlock?,
        holders: [ContentUses.Holder],
        fault: FormFieldError?,
        context: ConsoleContext
    ) {
        let words = context.words
        func field(_ name: String, _ value: String) -> FormField {
            FormField(value: value, fault: fault?.field == name ? fault?.text : nil)
        }
        heading = known?.name ?? words("blocks.new")
        tag = known?.liquidTag
        isActive = !form.isDraft
        name = field("name", form.name)
        description = field("description", form.description)
        content = field("content", form.content)
        tags = form.tags.joined(separator: ", ")
        uses = holders.map { ContentUseLink($0, words) }
        isUsed = !uses.isEmpty
        let shown = ["name", "description", "content"]
        problem = fault.flatMap { shown.contains($0.field) ? nil : $0.text }
        action = (known.map { ConsolePath.contentBlock($0.id) } ?? .newContentBlock).path
        listAddress = ConsolePath.contentBlocks.path
        mayWrite = context.hasRole(atLeast: .marketer)
        deleteAddress = mayWrite ? known.map { ConsolePath.deleteContentBlock($0.id).path } : nil
        deleteQuestion = words("blocks.delete_confirm", ["name": heading])
    }
}

/// A field of a form with its raw text and its error.
struct FormField {
    let value: String
    let fault: String?
}
