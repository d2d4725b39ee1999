import Reasons

/// `{% assign name = value | filter %}`
final class AssignTag: TagNode {
    let offset: Int
    let isBlank = true
    private let name: LiquidName
    private let value: Output

    private init(offset: Int, name: LiquidName, value: Output) {
        self.offset = offset
        self.name = name
        self.value = value
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        return try context.parse(tag.markup) { () throws(LiquidError) in
            try parse(tag, context, nameIsChecked: false)
        } strict2: { () throws(LiquidError) in
            try parse(tag, context, nameIsChecked: true)
        }
    }

    private static func parse(
        _ tag: TagMarkup,
        _ context: ParseContext,
        nameIsChecked: Bool
    ) throws(LiquidError) -> AssignTag {
        guard let target = signature(tag.markup) else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                ["tag": "assign", "form": "assign [var] = [source]"]
            )
        }
        let left = tag.markup.part(target.start, target.end)
        let name = nameIsChecked ? try identifier(left, context) : left.text
        let right = tag.markup.part(target.equals + 1, tag.markup.end).trimmed
        return AssignTag(
            offset: tag.offset,
            name: LiquidName(name),
            value: try context.output(right)
        )
    }

    /// The markup of a single identifier.
    static func identifier(
        _ markup: Markup,
        _ context: ParseContext
    ) throws(LiquidError) -> String {
        var words = try ExpressionParser(markup, context, strict2: true)
        let name = try words.expect(.identifier)
        try words.expectEnd()
        return name
    }

    /// The first name-like run followed by an equals sign.
    private static func signature(_ markup: Markup) -> (start: Int, end: Int, equals: Int)? {
        var index = markup.start
        while index < markup.end {
            let end = signatureEnd(markup, index)
            guard end > index else {
                index += 1
                continue
            }
            let equals = markup.skipWhitespace(end)
            if equals < markup.end, markup.bytes[equals] == Byte.equals {
                return (index, end, equals)
            }
            index = end
        }
        return nil
    }

    /// The end of a run of name characters, dots and brackets, each optionally surrounded by
    /// parentheses.
    static func signatureEnd(_ markup: Markup, _ index: Int) -> Int {
        var position = index
        while position < markup.end {
            var next = position
            if markup.bytes[next] == Byte.openRound { next += 1 }
            guard next < markup.end else { break }
            let byte = markup.bytes[next]
            guard
                byte.isSegment || byte == Byte.dot || byte == Byte.openSquare
                    || byte == Byte.closeSquare
            else { break }
            next += 1
            if next < markup.end, markup.bytes[next] == Byte.closeRound { next += 1 }
            position = next
        }
        return position
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        try renderer.assign(name, try renderer.value(of: value))
    }
}

extension Renderer {
    mutating func assign(_ name: LiquidName, _ value: LiquidValue) throws(LiquidError) {
        if scope.isLarge { try spend(scope.names / Scope.namesPerStep) }
        scope.assign(name, value)
    }
}
