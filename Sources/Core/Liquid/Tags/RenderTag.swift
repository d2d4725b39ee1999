/// `{% render 'name', key: value %}`: renders a partial that sees only its arguments.
final class RenderTag: TagNode {
    let offset: Int
    let isBlank = false
    private let header: PartialHeader
    private let name: String

    private init(offset: Int, header: PartialHeader, name: String) {
        self.offset = offset
        self.header = header
        self.name = name
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let header = try context.parse(tag.markup) { () throws(LiquidError) in
            guard let header = try PartialHeader.lax(tag.markup, context, nameIsQuoted: true)
            else { throw nameError }
            return header
        } strict2: { () throws(LiquidError) in
            try PartialHeader.strict(tag.markup, context, nameIsQuoted: true)
        }
        guard let name = header.template.literalText else { throw nameError }
        return RenderTag(offset: tag.offset, header: header, name: name)
    }

    private static let nameError = LiquidError(
        .syntax,
        .renderName
    )

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let template = try renderer.partial(name)
        var value = LiquidValue.null
        if let expression = header.value { value = try renderer.evaluate(expression) }
        guard header.isLoop, let elements = try loopElements(value, &renderer) else {
            return try render(template, value, nil, &renderer)
        }
        let loop = renderer.openLoop(
            name: name,
            length: elements.count,
            parent: nil,
            columns: nil
        )
        defer { renderer.loops.removeLast() }
        for element in elements {
            try renderer.spend(1)
            try render(template, element, loop, &renderer)
            renderer.loops[loop.depth].index += 1
        }
    }

    private func loopElements(
        _ value: LiquidValue,
        _ renderer: inout Renderer
    ) throws(LiquidError) -> [LiquidValue]? {
        switch value {
        case .array(let elements): return elements
        case .drop(let drop): return drop.elements
        case .range, .object:
            let elements = LoopElements(value)
            let segment = elements.segment(from: 0, to: nil)
            try renderer.allow(elements: segment.count)
            return segment.map { elements[$0] }
        default: return nil
        }
    }

    private func render(
        _ template: Template,
        _ value: LiquidValue,
        _ loop: LiquidLoopReference?,
        _ renderer: inout Renderer
    ) throws(LiquidError) {
        var inner = Scope()
        if let loop {
            inner.globals.append(Scope.Variable(name: ForTag.loopName, value: .loop(loop)))
        }
        // Each argument is searched among those before it.
        let count = header.arguments.count
        try renderer.spend(count + count * count / Scope.namesPerStep)
        for argument in header.arguments {
            inner.assign(argument.name, try renderer.evaluate(argument.value))
        }
        if !value.isNull { inner.assign(header.variableName(for: name), value) }
        let outerInterrupt = renderer.interrupt
        let wasInsideRender = renderer.isInsideRender
        try renderer.openScope(inner)
        renderer.isInsideRender = true
        defer {
            renderer.closeScope()
            renderer.isInsideRender = wasInsideRender
            renderer.interrupt = outerInterrupt
        }
        try renderer.render(template, named: name)
    }
}
