import Liquid
import Model
import Reasons

/// Validates the content of a workspace against loaded blocks and catalogs, by the same rules as
/// the individual services.
package struct WrittenContentCheck {
    /// By name.
    package let blocks: [String: ContentBlock]
    private let catalogs: Set<String>

    package init(blocks: [ContentBlock], catalogs: [Catalog]) {
        self.blocks = Dictionary(
            blocks.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.catalogs = Set(catalogs.map(\.name))
    }

    package func problems(of content: CampaignContent) -> [FieldProblem] {
        do {
            try CampaignValidator.check(content)
        } catch {
            return error.problems
        }
        var problems: [FieldProblem] = []
        for (path, message) in CampaignValidator.messages(of: content) {
            do {
                let templates = try PushTemplates(parsing: message.message, at: path)
                let set = ContentBlockReader.blocks(named: templates.contentBlocks, among: blocks)
                problems += templates.problems(with: set, at: path)
            } catch {
                problems += error.problems
            }
        }
        for (index, variant) in content.variants.enumerated() {
            let names = Set(variant.contentReferences.flatMap(\.catalogs))
            problems += unknownCatalogs(names, .campaign(.message(variant: index)))
        }
        return problems
    }

    /// A draft of a block may be anything.
    package func problems(of block: ContentBlock) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func report(_ field: FieldPath.Block, _ reason: Reason?) {
            if let reason { problems.append(FieldProblem(.block(field), reason)) }
        }
        report(.name, ContentBlockValidator.problem(name: block.name))
        report(.content, ContentBlockValidator.problem(content: block.content))
        report(.description, ContentBlockValidator.problem(description: block.description))
        if block.tags.count > ContentBlockValidator.tagLimit {
            let most: [String: Reason.Argument] = ["count": "\(ContentBlockValidator.tagLimit)"]
            report(.tags, Reason(FieldReason.mostElements, most))
        }
        guard problems.isEmpty, block.state == .active else { return problems }
        report(
            .content,
            ContentBlockReader.blocks(named: [block.name], among: blocks).problem(of: block.name)
        )
        return problems
            + unknownCatalogs(ContentReferences(block.content).catalogs, .block(.content))
    }

    package func unknownCatalogs(_ names: Set<String>, _ path: FieldPath) -> [FieldProblem] {
        names.subtracting(catalogs).sorted().map {
            FieldProblem(path, .catalogMissing, ["name": .text($0)])
        }
    }
}
