import Reasons

/// `{% include 'name' %}`: renders a partial that can read and change the surrounding variables.
final class IncludeTag: TagNode {
    let offset: Int
    let isBlank = false
    private let header: PartialHeader

    private init(offset: Int, header: PartialHeader) {
        self.offset = offset
        self.header = header
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let header = try context.parse(tag.markup) { () throws(LiquidError) in
            guard
                let header = try PartialHeader.lax(tag.markup, context, nameIsQuoted: false)
            else {
                throw LiquidError(
                    .syntax,
                    .includeSyntax,
                    ["form": "include '[template]' (with|for) [object|collection]"]
                )
            }
            return header
        } strict2: { () throws(LiquidError) in
            try PartialHeader.strict(tag.markup, context, nameIsQuoted: false)
        }
        return IncludeTag(offset: tag.offset, header: header)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        guard !renderer.isInsideRender else {
            throw LiquidError(.disabled, .includeNotHere)
        }
        guard case .string(let name) = try renderer.evaluate(header.template) else {
            throw LiquidError(
                .argument,
                .templateName
            )
        }
        let template = try renderer.partial(name)
        let value: LiquidValue
        if let expression = header.value {
            value = try renderer.evaluate(expression)
        } else {
            let name = LiquidName(name)
            try renderer.spend(renderer.scope.names / Scope.namesPerStep)
            value = renderer.scope.find(name) ?? renderer.variables.value(named: name) ?? .null
        }
        try renderer.openFrame()
        let locals = renderer.scope.locals.count
        defer { renderer.closeFrame(locals: locals) }
        try renderer.spend(header.arguments.count)
        for argument in header.arguments {
            let value = try renderer.evaluate(argument.value)
            renderer.scope.locals.append(Scope.Variable(name: argument.name, value: value))
        }
        renderer.scope.noteSize()
        let place = renderer.scope.locals.count
        let variable = header.variableName(for: name)
        renderer.scope.locals.append(Scope.Variable(name: variable, value: value))
        guard case .array(let elements) = value else {
            return try renderer.render(template, named: name)
        }
        for element in elements {
            try renderer.spend(1)
            renderer.scope.locals[place].value = element
            try renderer.render(template, named: name)
        }
    }
}
