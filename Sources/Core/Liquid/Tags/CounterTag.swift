/// `{% increment name %}`, `{% decrement name %}`: counters, separate from the variables that
/// `assign` sets.
final class CounterTag: TagNode {
    let offset: Int
    let isBlank = false
    private let name: LiquidName
    private let isIncrement: Bool

    private init(offset: Int, name: LiquidName, isIncrement: Bool) {
        self.offset = offset
        self.name = name
        self.isIncrement = isIncrement
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let name = try context.parse(tag.markup) { () throws(LiquidError) in
            tag.markup.trimmed.text
        } strict2: { () throws(LiquidError) in
            try AssignTag.identifier(tag.markup, context)
        }
        return CounterTag(
            offset: tag.offset,
            name: LiquidName(name),
            isIncrement: tag.name == "increment"
        )
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        try renderer.spend(renderer.scope.counters.count / Scope.namesPerStep)
        if isIncrement {
            NumberFormatting.append(renderer.scope.count(name, by: 1) - 1, to: &renderer.output)
        } else {
            NumberFormatting.append(renderer.scope.count(name, by: -1), to: &renderer.output)
        }
    }
}
