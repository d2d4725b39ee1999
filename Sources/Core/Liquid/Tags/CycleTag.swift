import Reasons

/// `{% cycle 'a', 'b' %}`, `{% cycle name: 'a', 'b' %}`: prints the next of its values each time.
///
/// Unnamed tags that list the same literals share their position; one that lists a variable has its
/// own.
final class CycleTag: TagNode {
    let offset: Int
    let isBlank = false
    private let name: Expression
    private let values: [Expression]

    private init(offset: Int, name: Expression, values: [Expression]) {
        self.offset = offset
        self.name = name
        self.values = values
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        return try context.parse(tag.markup) { () throws(LiquidError) in
            try lax(tag, context)
        } strict2: { () throws(LiquidError) in
            try strict(tag, context)
        }
    }

    private static let syntaxError = LiquidError(
        .syntax,
        .notWellFormed,
        ["tag": "cycle", "form": "cycle [name :] var [, var2, var3 ...]"]
    )

    private static func lax(
        _ tag: TagMarkup,
        _ context: ParseContext
    ) throws(LiquidError) -> CycleTag {
        let markup = tag.markup
        if let (end, colon) = nameEnd(markup) {
            let name = try context.laxExpression(markup.part(markup.start, end))
            let start = markup.skipWhitespace(colon + 1)
            let values = try values(markup.part(start, markup.end), context)
            return CycleTag(offset: tag.offset, name: name, values: values)
        }
        guard markup.fragmentEnd(markup.start) != nil else { throw syntaxError }
        let values = try values(markup, context)
        return CycleTag(
            offset: tag.offset,
            name: key(values, markup, context),
            values: values
        )
    }

    /// The end of a name and its colon: the last colon at which the first fragment can end.
    private static func nameEnd(_ markup: Markup) -> (end: Int, colon: Int)? {
        for end in [markup.quotedEnd(markup.start), markup.runEnd(markup.start)] {
            guard let end else { continue }
            let colon = markup.skipWhitespace(end)
            if colon < markup.end, markup.bytes[colon] == Byte.colon { return (end, colon) }
        }
        guard let end = markup.runEnd(markup.start) else { return nil }
        var last: Int?
        var index = markup.start
        while index < end {
            if let close = markup.quotedEnd(index) {
                index = close
                continue
            }
            if markup.bytes[index] == Byte.colon, index > markup.start { last = index }
            index += 1
        }
        return last.map { ($0, $0) }
    }

    private static func values(
        _ markup: Markup,
        _ context: ParseContext
    ) throws(LiquidError) -> [Expression] {
        var values: [Expression] = []
        var start = markup.start
        while start <= markup.end {
            var end = start
            while end < markup.end, markup.bytes[end] != Byte.comma { end += 1 }
            let item = markup.part(start, end)
            if let part = item.fragment(from: start) {
                let value = try context.laxExpression(item.part(part.start, part.end))
                if case .literal(.null) = value {} else { values.append(value) }
            }
            start = end + 1
        }
        return values
    }

    private static func strict(
        _ tag: TagMarkup,
        _ context: ParseContext
    ) throws(LiquidError) -> CycleTag {
        var words = try ExpressionParser(tag.markup, context, strict2: true)
        guard !words.looks(at: .end) else { throw syntaxError }
        let first = try words.expression()
        var name: Expression?
        var values = [first]
        if try words.accept(.colon) {
            name = first
            values = [try words.expression()]
        }
        while try words.accept(.comma), !words.looks(at: .end) {
            values.append(try words.expression())
        }
        try words.expectEnd()
        return CycleTag(
            offset: tag.offset,
            name: name ?? key(values, tag.markup, context),
            values: values
        )
    }

    /// The key that identifies an unnamed tag.
    private static func key(
        _ values: [Expression],
        _ markup: Markup,
        _ context: ParseContext
    ) -> Expression {
        var literals: [LiquidValue] = []
        for value in values {
            guard case .literal(let literal) = value else {
                return .literal(.array([.int(context.identity()), .string(markup.text)]))
            }
            literals.append(literal)
        }
        return .literal(.array([.array(literals)]))
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let key = try renderer.evaluate(name)
        let turn = try renderer.turn(of: key)
        let position = turn.map { renderer.scope.cycles[$0].position } ?? 0
        if position < values.count {
            try renderer.write(try renderer.evaluate(values[position]))
        }
        let next = position + 1 >= values.count ? 0 : position + 1
        if let turn {
            renderer.scope.cycles[turn].position = next
        } else {
            renderer.scope.cycles.append((key, next))
        }
    }
}

extension Renderer {
    /// Equality of hash keys: `1` and `1.0` differ.
    mutating func areSame(
        _ left: LiquidValue,
        _ right: LiquidValue
    ) throws(LiquidError) -> Bool {
        switch (left, right) {
        case (.int, .float), (.float, .int), (.big, .float), (.float, .big): return false
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for (left, right) in zip(left, right) {
                try spend(1)
                guard try areSame(left, right) else { return false }
            }
            return true
        default: return try areEqual(left, right)
        }
    }

    /// The index of the cycle with this key; `nil` if it is new.
    fileprivate mutating func turn(of key: LiquidValue) throws(LiquidError) -> Int? {
        for index in scope.cycles.indices {
            try spend(1)
            if try areSame(scope.cycles[index].key, key) { return index }
        }
        return nil
    }
}
