import Liquid
import Model
import Reasons

/// The content blocks of one message, parsed, with those that they include.
package struct ContentBlockSet: LiquidTemplateLoader {
    package static let none = ContentBlockSet(templates: [:], problems: [:])

    let templates: [String: Template]
    /// The reason why a block cannot be used, by its name.
    let problems: [String: Reason]
    /// Whether a block needs external data.
    package let asksQuestions: Bool

    init(templates: [String: Template], problems: [String: Reason]) {
        self.templates = templates
        self.problems = problems
        asksQuestions = templates.values.contains(where: \.asksQuestions)
    }

    /// The blocks that can be used, by name.
    package var parsed: [Template] { templates.ordered { $0.key }.map(\.value) }

    /// The reason why the block cannot be used; `nil` if it can.
    package func problem(of name: String) -> Reason? { problems[name] }

    /// Messages have no partials except content blocks.
    package func template(named name: String) throws(LiquidError) -> Template? { nil }

    package func contentBlock(named name: String) throws(LiquidError) -> Template? {
        if let problem = problems[name] { throw LiquidError(.fileSystem, problem) }
        return templates[name]
    }
}
