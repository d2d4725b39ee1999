import Reasons

/// `'name' with value as alias, key: value`, the header of `include` and `render`.
struct PartialHeader: Sendable {
    var template: Expression
    /// After `with` or `for`.
    var value: Expression?
    var isLoop = false
    var alias: String?
    private(set) var arguments: [(name: LiquidName, value: Expression)] = []
    private var places: [LiquidName: Int] = [:]

    private init(template: Expression) {
        self.template = template
    }

    /// Parses the header leniently; `nil` if there is no template name.
    static func lax(
        _ markup: Markup,
        _ context: ParseContext,
        nameIsQuoted: Bool
    ) throws(LiquidError) -> PartialHeader? {
        guard let name = templateName(markup, nameIsQuoted: nameIsQuoted) else { return nil }
        var header = PartialHeader(
            template: try context.laxExpression(markup.part(name.start, name.end))
        )
        var index = name.end
        let word = markup.skipWhitespace(index)
        let wordEnd = markup.wordEnd(word)
        if word > index,
            markup.equals("with", word, wordEnd) || markup.equals("for", word, wordEnd)
        {
            let start = markup.skipWhitespace(wordEnd)
            if start > wordEnd, let end = markup.runEnd(start) {
                header.isLoop = wordEnd - word == 3
                header.setValue(try context.laxExpression(markup.part(start, end)))
                index = end
            }
        }
        let marker = markup.skipWhitespace(index)
        if marker > index, markup.equals("as", marker, min(marker + 2, markup.end)) {
            let start = markup.skipWhitespace(marker + 2)
            let end = markup.segmentEnd(start)
            if start > marker + 2, end > start { header.alias = markup.text(start, end) }
        }
        try markup.forEachAttribute { (name, value) throws(LiquidError) in
            header.set(name, try context.laxExpression(value))
        }
        return header
    }

    private static func templateName(
        _ markup: Markup,
        nameIsQuoted: Bool
    ) -> (start: Int, end: Int)? {
        var index = markup.start
        while index < markup.end {
            if nameIsQuoted {
                if var end = markup.quotedEnd(index) {
                    while let next = markup.quotedEnd(end) { end = next }
                    return (index, end)
                }
            } else if let end = markup.runEnd(index) {
                return (index, end)
            }
            index += 1
        }
        return nil
    }

    static func strict(
        _ markup: Markup,
        _ context: ParseContext,
        nameIsQuoted: Bool
    ) throws(LiquidError) -> PartialHeader {
        var words = try ExpressionParser(markup, context, strict2: true)
        if nameIsQuoted, !words.looks(at: .string) {
            throw LiquidError(
                .syntax,
                .expected,
                ["kind": "string", "other": "\(words.lexer.kind.name)"]
            )
        }
        var header = PartialHeader(template: try words.expression())
        header.isLoop = try words.accept(word: "for")
        let hasWith = header.isLoop ? false : try words.accept(word: "with")
        if header.isLoop || hasWith { header.setValue(try words.expression()) }
        if try words.accept(word: "as") { header.alias = try words.expect(.identifier) }
        _ = try words.accept(.comma)
        while words.looks(at: .identifier) {
            let name = try words.expect(.identifier)
            try words.expect(.colon)
            header.set(name, try words.expression())
            _ = try words.accept(.comma)
        }
        try words.expectEnd()
        return header
    }

    /// Literals that are not truthy count as absent.
    private mutating func setValue(_ expression: Expression) {
        if case .literal(let value) = expression, !value.isTruthy { return }
        value = expression
    }

    private mutating func set(_ name: String, _ value: Expression) {
        let name = LiquidName(name)
        if let known = places[name] {
            arguments[known].value = value
        } else {
            places[name] = arguments.count
            arguments.append((name, value))
        }
    }

    /// The variable under which the partial finds its value.
    func variableName(for template: String) -> LiquidName {
        LiquidName(alias ?? template.split(separator: "/").last.map { String($0) } ?? template)
    }
}

extension Renderer {
    func partial(_ name: String) throws(LiquidError) -> Template {
        guard let templates = options.templates else {
            throw LiquidError(.fileSystem, .noIncludes)
        }
        let template: Template?
        do {
            template = try templates.template(named: name)
        } catch {
            throw error.named(name)
        }
        guard let template else {
            throw LiquidError(.fileSystem, .templateNotFound, ["name": "\(name)"])
        }
        return template
    }

    /// Renders a template in place of another template's tag.
    mutating func render(_ template: Template, named name: String) throws(LiquidError) {
        // A template that renders itself reuses one tree.
        let pool = ObjectIdentifier(template.trees)
        let active = partials.last { $0.pool == pool }?.tree
        let tree: TemplateTree
        if let active { tree = active } else { tree = try template.trees.take() }
        partials.append((pool, tree))
        let outerSource = source
        let outerName = templateName
        source = tree.source
        templateName = template.name ?? name
        defer {
            source = outerSource
            templateName = outerName
            partials.removeLast()
            if active == nil { template.trees.give(tree) }
        }
        try render(tree.body)
    }

    mutating func contentBlock(_ name: String) throws(LiquidError) -> String {
        let template: Template?
        do {
            template = try options.templates?.contentBlock(named: name)
        } catch {
            throw error.named(name)
        }
        guard let template else {
            throw LiquidError(.fileSystem, .blockNotFound, ["name": "\(name)"])
        }
        try openFrame()
        let locals = scope.locals.count
        defer { closeFrame(locals: locals) }
        let bytes = try capture { (renderer) throws(LiquidError) in
            try renderer.render(template, named: name)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
