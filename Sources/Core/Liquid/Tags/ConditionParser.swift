import Reasons

/// Parses `left operator right and …`.
extension ParseContext {
    func condition(_ markup: Markup) throws(LiquidError) -> Condition {
        try parse(markup) { () throws(LiquidError) in
            try laxCondition(markup)
        } strict: { () throws(LiquidError) in
            try strictCondition(markup, strict2: false)
        } strict2: { () throws(LiquidError) in
            try strictCondition(markup, strict2: true)
        }
    }

    private func strictCondition(
        _ markup: Markup,
        strict2: Bool
    ) throws(LiquidError) -> Condition {
        var parser = try ExpressionParser(markup, self, strict2: strict2)
        var parts: [Condition.Part] = []
        while true {
            let left = try parser.expression(isOperand: true)
            var comparison: (Condition.Operator, Expression)?
            if parser.looks(at: .comparison) {
                let name = try parser.expect(.comparison)
                comparison = (
                    Condition.Operator(name), try parser.expression(isOperand: true)
                )
            }
            parts.append(Condition.Part(left: left, comparison: comparison))
            if try parser.accept(word: "and") {
                parts[parts.count - 1].link = .and
            } else if try parser.accept(word: "or") {
                parts[parts.count - 1].link = .or
            } else {
                break
            }
        }
        try parser.expectEnd()
        return Condition(parts: parts)
    }

    /// `and` and `or` split the markup wherever they are separate words; each part is read as
    /// fragment, operator, fragment, and the rest of it is skipped.
    private func laxCondition(_ markup: Markup) throws(LiquidError) -> Condition {
        var segments = laxSegments(markup)
        guard let last = segments.popLast() else { throw Self.conditionError }
        var parts = [try laxPart(last)]
        while let word = segments.popLast() {
            let link: Condition.Link
            let part = segments.popLast() ?? word.part(word.end, word.end)
            var joined = try laxPart(part)
            switch word.trimmed.text {
            case "and": link = .and
            case "or": link = .or
            default: throw Self.conditionError
            }
            joined.link = link
            parts.append(joined)
        }
        return Condition(parts: parts.reversed())
    }

    private static let conditionError = LiquidError(
        .syntax,
        .notWellFormedTag,
        ["tag": "if", "form": "if [expression]"]
    )

    private func laxPart(_ markup: Markup) throws(LiquidError) -> Condition.Part {
        guard let left = markup.fragment(from: markup.start) else { throw Self.conditionError }
        let leftValue = try laxExpression(markup.part(left.start, left.end), isOperand: true)
        let nameStart = markup.skipWhitespace(left.end)
        var nameEnd = nameStart
        while nameEnd < markup.end, Self.isOperatorByte(markup.bytes[nameEnd]) { nameEnd += 1 }
        guard nameEnd > nameStart else { return Condition.Part(left: leftValue, comparison: nil) }
        let rightStart = markup.skipWhitespace(nameEnd)
        var right = Expression.literal(.null)
        if let rightEnd = markup.fragmentEnd(rightStart) {
            right = try laxExpression(markup.part(rightStart, rightEnd), isOperand: true)
        }
        let comparison = Condition.Operator(markup.text(nameStart, nameEnd))
        return Condition.Part(left: leftValue, comparison: (comparison, right))
    }

    private static func isOperatorByte(_ byte: UInt8) -> Bool {
        byte == Byte.equals || byte == Byte.exclamation || byte == Byte.less
            || byte == Byte.greater || byte == Byte.underscore || (byte >= 97 && byte <= 122)
    }

    /// The parts of the markup between the words `and` and `or`, and those words.
    private func laxSegments(_ markup: Markup) -> [Markup] {
        var segments: [Markup] = []
        var index = markup.start
        while true {
            index = markup.skipWhitespace(index)
            guard index < markup.end else { return segments }
            if let close = linkEnd(markup, index) {
                segments.append(markup.part(index, close))
                index = close
                continue
            }
            let start = index
            while index < markup.end, linkEnd(markup, index) == nil {
                if let close = markup.fragmentEnd(index) {
                    index = close
                } else {
                    while index < markup.end, !markup.bytes[index].isWhitespace { index += 1 }
                }
                index = markup.skipWhitespace(index)
            }
            segments.append(markup.part(start, index))
        }
    }

    /// The end of a separate word `and` or `or` at `index`.
    private func linkEnd(_ markup: Markup, _ index: Int) -> Int? {
        let close = markup.wordEnd(index)
        guard markup.equals("and", index, close) || markup.equals("or", index, close) else {
            return nil
        }
        return close
    }
}
