import Campaigns
import Model
import Reasons

extension WrittenContentCheck {
    package func problems(of stored: InAppMessageDefinition) -> [FieldProblem] {
        var problems = InAppMessageValidator.problems(stored)
        for (index, content) in stored.contents.enumerated() {
            let catalogs = Set(content.texts.map(ContentReferences.init).flatMap(\.catalogs))
            problems += unknownCatalogs(catalogs, .inApp(.content(variant: index)))
            do {
                let names = try InAppMessageTemplates(parsing: content, variant: index)
                    .contentBlocks
                let set = ContentBlockReader.blocks(named: names, among: blocks)
                problems += names.compactMap(set.problem).map {
                    FieldProblem(.inApp(.content(variant: index)), $0)
                }
            } catch {
                problems += error.problems
            }
        }
        return problems
    }
}
