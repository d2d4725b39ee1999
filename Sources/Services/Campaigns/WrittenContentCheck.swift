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

    package func problems(of content: CampaignContent) -> [PushProblems.Problem] {
        do {
            try CampaignCheck.check(content)
        } catch {
            return error.problems
        }
        var problems: [PushProblems.Problem] = []
        for (path, message) in CampaignCheck.messages(of: content) {
            do {
                let templates = try PushTemplates(parsing: message.message)
                let set = ContentBlockReader.blocks(named: templates.contentBlocks, among: blocks)
                problems += templates.problems(with: set).map {
                    .init(field: path + $0.field, message: $0.message)
                }
            } catch {
                problems += error.problems
            }
        }
        for (index, variant) in content.variants.enumerated() {
            let names = Set(variant.contentReferences.flatMap(\.catalogs))
            problems += unknownCatalogs(names, "variants.\(index).message")
        }
        return problems
    }

    /// The draft of a block is not validated.
    package func problems(of block: ContentBlock) -> [PushProblems.Problem] {
        var problems: [PushProblems.Problem] = []
        func report(_ field: String, _ problem: String?) {
            if let problem { problems.append(.init(field: field, message: problem)) }
        }
        report("name", ContentBlockRule.problem(name: block.name))
        report("content", ContentBlockRule.problem(content: block.content))
        report("description", ContentBlockRule.problem(description: block.description))
        if block.tags.count > ContentBlockRule.tagLimit {
            report("tags", "are at most \(ContentBlockRule.tagLimit)")
        }
        guard problems.isEmpty, block.state == .active else { return problems }
        report(
            "content",
            ContentBlockReader.blocks(named: [block.name], among: blocks).problem(of: block.name)?
                .description
        )
        return problems + unknownCatalogs(ContentReferences(block.content).catalogs, "content")
    }

    private func unknownCatalogs(
        _ names: Set<String>,
        _ field: String
    ) -> [PushProblems.Problem] {
        names.subtracting(catalogs).sorted().map {
            .init(field: field, message: "names the catalog '\($0)', which is not there")
        }
    }
}
