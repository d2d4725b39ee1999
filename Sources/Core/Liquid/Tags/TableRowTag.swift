import Reasons

/// `{% tablerow item in list cols: 3 limit: 6 offset: 1 %} … {% endtablerow %}`
final class TableRowTag: TagNode {
    struct Header: Sendable {
        var variable: LiquidName
        var collection: Expression
        var columns: Expression?
        var limit: Expression?
        var offset: Expression?

        mutating func set(_ name: String, _ value: Expression) {
            switch name {
            case "cols": columns = value
            case "limit": limit = value
            case "offset": offset = value
            default: break
            }
        }
    }

    private static let loopName = LiquidName("tablerowloop")

    let offset: Int
    let isBlank: Bool
    private let header: Header
    private let block: Block

    private init(offset: Int, header: Header, block: Block) {
        self.offset = offset
        self.header = header
        self.block = block
        isBlank = block.isBlank
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let header = try context.parse(tag.markup) { () throws(LiquidError) in
            try laxHeader(tag.markup, context)
        } strict2: { () throws(LiquidError) in
            try strictHeader(tag.markup, context)
        }
        var block = Block()
        if let next = try parser.part(of: tag, into: &block) {
            throw parser.stray(next, in: tag.name)
        }
        return TableRowTag(offset: tag.offset, header: header, block: block)
    }

    private static func laxHeader(
        _ markup: Markup,
        _ context: ParseContext
    ) throws(LiquidError) -> Header {
        var index = markup.start
        while index < markup.end {
            let nameEnd = markup.wordEnd(index)
            let word = markup.skipWhitespace(nameEnd)
            let start = markup.skipWhitespace(word + 2)
            if nameEnd > index, word > nameEnd, word + 2 < markup.end,
                markup.equals("in", word, word + 2), start > word + 2,
                let end = markup.runEnd(start)
            {
                var header = Header(
                    variable: LiquidName(markup.text(index, nameEnd)),
                    collection: try context.laxExpression(markup.part(start, end))
                )
                try markup.forEachAttribute { (name, value) throws(LiquidError) in
                    header.set(name, try context.laxExpression(value))
                }
                return header
            }
            index = max(nameEnd, index + 1)
        }
        throw LiquidError(
            .syntax,
            .notWellFormed,
            ["tag": "table_row loop", "form": "table_row [item] in [collection] cols=3"]
        )
    }

    private static func strictHeader(
        _ markup: Markup,
        _ context: ParseContext
    ) throws(LiquidError) -> Header {
        var words = try ExpressionParser(markup, context, strict2: true)
        let variable = try words.expect(.identifier)
        guard try words.accept(word: "in") else {
            throw LiquidError(.syntax, .forNeedsIn)
        }
        var header = Header(variable: LiquidName(variable), collection: try words.expression())
        _ = try words.accept(.comma)
        while words.looks(at: .identifier) {
            let name = try words.expect(.identifier)
            guard ["cols", "limit", "offset", "range"].contains(name) else {
                throw LiquidError(
                    .syntax,
                    .tableAttribute,
                    ["name": "\(name)"]
                )
            }
            try words.expect(.colon)
            header.set(name, try words.expression())
            _ = try words.accept(.comma)
        }
        try words.expectEnd()
        return header
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let value = try renderer.evaluate(header.collection)
        guard value.isTruthy else { return }
        let collection = LoopElements(value)
        let from = try integer(header.offset, &renderer) ?? 0
        let to = try integer(header.limit, &renderer).map { from &+ $0 }
        let segment = collection.segment(from: from, to: to)
        let columns = try integer(header.columns, &renderer) ?? segment.count
        renderer.output.append(contentsOf: "<tr class=\"row1\">\n".utf8)
        try rows(collection, segment, columns, &renderer)
        renderer.output.append(contentsOf: "</tr>\n".utf8)
    }

    private func rows(
        _ collection: LoopElements,
        _ segment: Range<Int>,
        _ columns: Int,
        _ renderer: inout Renderer
    ) throws(LiquidError) {
        try renderer.openFrame()
        let locals = renderer.scope.locals.count
        let loop = renderer.openLoop(
            name: "",
            length: segment.count,
            parent: nil,
            columns: columns
        )
        renderer.scope.locals.append(Scope.Variable(name: Self.loopName, value: .loop(loop)))
        renderer.scope.locals.append(Scope.Variable(name: header.variable, value: .null))
        defer {
            renderer.loops.removeLast()
            renderer.closeFrame(locals: locals)
        }
        for index in segment {
            try renderer.spend(1)
            renderer.scope.locals[locals + 1].value = collection[index]
            let state = renderer.loops[loop.depth]
            renderer.output.append(contentsOf: "<td class=\"col\(state.column)\">".utf8)
            try renderer.render(block)
            try renderer.allow(bytes: renderer.output.count)
            renderer.output.append(contentsOf: "</td>".utf8)
            let interrupt = renderer.interrupt
            renderer.interrupt = .none
            if interrupt == .breaks { break }
            if state.column == columns, index < segment.upperBound - 1 {
                renderer.output.append(
                    contentsOf: "</tr>\n<tr class=\"row\(state.row + 1)\">".utf8
                )
            }
            renderer.loops[loop.depth].advance()
        }
    }

    private func integer(
        _ expression: Expression?,
        _ renderer: inout Renderer
    ) throws(LiquidError) -> Int? {
        guard let expression else { return nil }
        let value = try renderer.evaluate(expression)
        renderer.note(bytes: value.textBytes)
        guard let number = Numbers.rangeEnd(value) else {
            throw LiquidError(.argument, .invalidInteger)
        }
        return number
    }
}
