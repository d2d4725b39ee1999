/// `{% if condition %} … {% elsif condition %} … {% else %} … {% endif %}`, and `unless`, which
/// negates its first condition.
final class IfTag: TagNode {
    struct Branch {
        /// `nil` for `else`.
        let condition: Condition?
        var block = Block()
    }

    let offset: Int
    let isBlank: Bool
    private let isInverted: Bool
    private let branches: [Branch]

    private init(offset: Int, isBlank: Bool, isInverted: Bool, branches: [Branch]) {
        self.offset = offset
        self.isBlank = isBlank
        self.isInverted = isInverted
        self.branches = branches
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        var branches = [Branch(condition: try parser.context.condition(tag.markup))]
        while true {
            var block = Block()
            let next = try parser.part(of: tag, into: &block)
            branches[branches.count - 1].block = block
            guard let next else { break }
            switch next.name {
            case "elsif":
                branches.append(Branch(condition: try condition(next, parser)))
            case "else":
                branches.append(Branch(condition: nil))
            default:
                throw parser.stray(next, in: tag.name)
            }
        }
        let isBlank = branches.allSatisfy(\.block.isBlank)
        if isBlank {
            for index in branches.indices { branches[index].block.removeText() }
        }
        return IfTag(
            offset: tag.offset,
            isBlank: isBlank,
            isInverted: tag.name == "unless",
            branches: branches
        )
    }

    private static func condition(
        _ tag: TagMarkup,
        _ parser: TemplateParser
    ) throws(LiquidError) -> Condition {
        do throws(LiquidError) {
            return try parser.context.condition(try parser.context.rewritten(tag.markup))
        } catch {
            throw parser.located(error, at: tag)
        }
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        var isInverted = isInverted
        for branch in branches {
            renderer.note(steps: 1)
            var holds = true
            if let condition = branch.condition {
                holds = try renderer.isTrue(condition) != isInverted
            }
            isInverted = false
            if holds { return try renderer.render(branch.block) }
        }
    }
}
