import Liquid
import Reasons

/// The content blocks of one message, parsed, with those that they include themselves.
package struct ContentBlockSet: LiquidTemplateLoader {
    package static let none = ContentBlockSet(templates: [:], problems: [:])

    let templates: [String: Template]
    /// Why a block cannot be used, by its name.
    let problems: [String: Reason]
    /// Whether a block needs answers from outside.
    package let asksQuestions: Bool

    init(templates: [String: Template], problems: [String: Reason]) {
        self.templates = templates
        self.problems = problems
        asksQuestions = templates.values.contains(where: \.asksQuestions)
    }

    /// Why the block cannot be used; `nil` when it can.
    package func problem(of name: String) -> Reason? { problems[name] }

    /// Messages have no partials but content blocks.
    package func template(named name: String) throws(LiquidError) -> Template? { nil }

    package func contentBlock(named name: String) throws(LiquidError) -> Template? {
        if let problem = problems[name] { throw LiquidError(.fileSystem, problem) }
        return templates[name]
    }
}
