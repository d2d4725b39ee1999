import Reasons

/// `{% for item in list reversed limit: 2 offset: 1 %} … {% else %} … {% endfor %}`
final class ForTag: TagNode {
    enum Offset: Sendable {
        case value(Expression)
        /// `offset: continue`: start where the last loop with this name ended.
        case goesOn
    }

    /// The contents of the tag.
    struct Header: Sendable {
        var variable: LiquidName
        var collection: Expression
        /// `variable-collection`, the name that `offset: continue` uses.
        var name: String
        var isReversed = false
        var limit: Expression?
        var offset: Offset?
    }

    static let loopName = LiquidName("forloop")

    let offset: Int
    let isBlank: Bool
    private let header: Header
    private let block: Block
    private let otherwise: Block?

    private init(
        offset: Int,
        isBlank: Bool,
        header: Header,
        block: Block,
        otherwise: Block?
    ) {
        self.offset = offset
        self.isBlank = isBlank
        self.header = header
        self.block = block
        self.otherwise = otherwise
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let header = try context.parse(tag.markup) { () throws(LiquidError) in
            try laxHeader(tag.markup, context)
        } strict: { () throws(LiquidError) in
            try strictHeader(tag.markup, context, strict2: false)
        } strict2: { () throws(LiquidError) in
            try strictHeader(tag.markup, context, strict2: true)
        }
        var block = Block()
        var otherwise: Block?
        if let next = try parser.part(of: tag, into: &block) {
            guard next.name == "else" else { throw parser.stray(next, in: tag.name) }
            var other = Block()
            if let next = try parser.part(of: tag, into: &other) {
                throw parser.stray(next, in: tag.name)
            }
            otherwise = other
        }
        let isBlank = block.isBlank && otherwise?.isBlank ?? true
        if isBlank {
            block.removeText()
            otherwise?.removeText()
        }
        return ForTag(
            offset: tag.offset,
            isBlank: isBlank,
            header: header,
            block: block,
            otherwise: otherwise
        )
    }

    private static func laxHeader(
        _ markup: Markup,
        _ context: ParseContext
    ) throws(LiquidError) -> Header {
        let nameEnd = markup.segmentEnd(markup.start)
        let word = markup.skipWhitespace(nameEnd)
        let start = markup.skipWhitespace(word + 2)
        guard nameEnd > markup.start, word > nameEnd, word + 2 < markup.end,
            markup.equals("in", word, word + 2), start > word + 2,
            let end = markup.runEnd(start)
        else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                ["tag": "for loop", "form": "for [item] in [collection]"]
            )
        }
        let variable = markup.text(markup.start, nameEnd)
        var header = Header(
            variable: LiquidName(variable),
            collection: try context.laxExpression(markup.part(start, end)),
            name: "\(variable)-\(markup.text(start, end))"
        )
        let rest = markup.skipWhitespace(end)
        header.isReversed =
            rest + 8 <= markup.end && markup.equals("reversed", rest, rest + 8)
        try markup.forEachAttribute { (name, value) throws(LiquidError) in
            switch name {
            case "limit": header.limit = try context.laxExpression(value)
            case "offset" where value.text == "continue": header.offset = .goesOn
            case "offset": header.offset = .value(try context.laxExpression(value))
            default: break
            }
        }
        return header
    }

    private static func strictHeader(
        _ markup: Markup,
        _ context: ParseContext,
        strict2: Bool
    ) throws(LiquidError) -> Header {
        var words = try ExpressionParser(markup, context, strict2: strict2)
        let variable = try words.expect(.identifier)
        guard try words.accept(word: "in") else {
            throw LiquidError(.syntax, .forNeedsIn)
        }
        let start = words.lexer.start
        let collection = try words.expression()
        var header = Header(
            variable: LiquidName(variable),
            collection: collection,
            name: "\(variable)-\(words.compactText(from: start))"
        )
        header.isReversed = try words.accept(word: "reversed")
        while words.looks(at: .comma) || words.looks(at: .identifier) {
            _ = try words.accept(.comma)
            let isLimit = words.lexer.isWord("limit")
            guard isLimit || words.lexer.isWord("offset") else {
                throw LiquidError(
                    .syntax,
                    .forAttribute
                )
            }
            try words.expect(.identifier)
            try words.expect(.colon)
            let goesOn = words.lexer.isWord("continue")
            let value = try words.expression()
            if isLimit {
                header.limit = value
            } else {
                header.offset = goesOn ? .goesOn : .value(value)
            }
        }
        try words.expectEnd()
        return header
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        var from = 0
        switch header.offset {
        case .goesOn: from = renderer.scope.offsets[header.name] ?? 0
        case .value(let expression):
            let value = try renderer.evaluate(expression)
            renderer.note(bytes: value.textBytes)
            if !value.isNull { from = try Numbers.integer(value) }
        case nil: break
        }
        let collection = LoopElements(try renderer.evaluate(header.collection))
        var to: Int?
        if let limit = header.limit {
            let value = try renderer.evaluate(limit)
            renderer.note(bytes: value.textBytes)
            if !value.isNull { to = from &+ (try Numbers.integer(value)) }
        }
        let segment = collection.segment(from: from, to: to)
        renderer.scope.offsets[header.name] = from &+ segment.count
        guard !segment.isEmpty else {
            if let otherwise { try renderer.render(otherwise) }
            return
        }
        try loop(over: collection, segment, &renderer)
    }

    private func loop(
        over collection: LoopElements,
        _ segment: Range<Int>,
        _ renderer: inout Renderer
    ) throws(LiquidError) {
        try renderer.openFrame()
        let outerLoop = renderer.scope.loop
        let locals = renderer.scope.locals.count
        let loop = renderer.openLoop(
            name: header.name,
            length: segment.count,
            parent: outerLoop,
            columns: nil
        )
        renderer.scope.loop = loop.depth
        renderer.scope.locals.append(Scope.Variable(name: Self.loopName, value: .loop(loop)))
        renderer.scope.locals.append(Scope.Variable(name: header.variable, value: .null))
        defer {
            renderer.loops.removeLast()
            renderer.scope.loop = outerLoop
            renderer.closeFrame(locals: locals)
        }
        for round in 0..<segment.count {
            try renderer.spend(1)
            let index =
                header.isReversed ? segment.upperBound - 1 - round : segment.lowerBound + round
            renderer.scope.locals[locals + 1].value = collection[index]
            try renderer.render(block)
            renderer.loops[loop.depth].index += 1
            if renderer.interrupt != .none {
                let interrupt = renderer.interrupt
                renderer.interrupt = .none
                if interrupt == .breaks { break }
            }
        }
    }
}

/// The elements of a loop, without a copy.
enum LoopElements {
    case list([LiquidValue])
    case range(LiquidRange)
    case object(LiquidObject)
    /// A text is one element, whatever part of it is requested.
    case text(String)
    case nothing

    init(_ value: LiquidValue) {
        switch value {
        case .array(let elements): self = .list(elements)
        case .range(let range): self = .range(range)
        case .object(let object): self = .object(object)
        case .string(let text): self = text.isEmpty ? .nothing : .text(text)
        case .drop(let drop): self = drop.elements.map { .list($0) } ?? .nothing
        default: self = .nothing
        }
    }

    private var count: Int {
        switch self {
        case .list(let elements): elements.count
        case .range(let range): range.count
        case .object(let object): object.count
        case .text: 1
        case .nothing: 0
        }
    }

    func segment(from: Int, to: Int?) -> Range<Int> {
        if case .text = self { return 0..<1 }
        let start = min(max(from, 0), count)
        return start..<max(start, min(to ?? count, count))
    }

    subscript(index: Int) -> LiquidValue {
        switch self {
        case .list(let elements): elements[index]
        case .range(let range): .int(range.first + index)
        case .object(let object): .array([.string(object.names[index].text), object.values[index]])
        case .text(let text): .string(text)
        case .nothing: .null
        }
    }
}
