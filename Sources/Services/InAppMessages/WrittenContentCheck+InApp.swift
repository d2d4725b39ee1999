import Campaigns
import Model
import Reasons

extension WrittenContentCheck {
    package func problems(of stored: StoredInAppMessage) -> [PushProblems.Problem] {
        var problems = InAppMessageCheck.problems(stored)
        for (index, content) in stored.contents.enumerated() {
            do {
                let names = try InAppMessageTemplates(parsing: content).contentBlocks
                let set = ContentBlockReader.blocks(named: names, among: blocks)
                problems += names.compactMap(set.problem).map {
                    InAppMessageCheck.renamed(
                        .init(field: "message", message: $0.description),
                        variant: index
                    )
                }
            } catch {
                problems += error.problems.map {
                    InAppMessageCheck.renamed($0, variant: index)
                }
            }
        }
        return problems
    }
}
