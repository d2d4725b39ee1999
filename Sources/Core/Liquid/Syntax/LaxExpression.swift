/// Parses expressions leniently: invalid parts are skipped.
extension ParseContext {
    /// The expression that a fragment means.
    func laxExpression(
        _ markup: Markup,
        isOperand: Bool = false,
        depth: Int = 0
    ) throws(LiquidError) -> Expression {
        guard depth <= limits.nesting else { throw LiquidError(.syntax, .nestingLimit) }
        let part = markup.trimmed
        guard part.start < part.end else { return .literal(.null) }
        let first = part.bytes[part.start]
        let last = part.bytes[part.end - 1]
        if first == last, first == Byte.quote || first == Byte.apostrophe {
            let text =
                part.end - part.start > 1 ? part.text(part.start + 1, part.end - 1) : ""
            return .literal(.string(text))
        }
        // Only the markup as written can be one of the tests; with spaces it is a literal.
        let canBeTest = isOperand && part.start == markup.start && part.end == markup.end
        if let literal = Literal.named(part, part.start, part.end, isOperand: canBeTest) {
            return literal
        }
        if first == Byte.openRound, last == Byte.closeRound,
            let range = try laxRange(part, depth: depth)
        {
            return range
        }
        if let number = Literal.number(part, part.start, part.end) { return .literal(number) }
        return try laxPath(part, depth: depth)
    }

    /// `(first..last)`; `nil` if the parts are missing. The dots are the last ones of the first
    /// word, or follow it as a separate word.
    private func laxRange(_ markup: Markup, depth: Int) throws(LiquidError) -> Expression? {
        let inner = markup.part(markup.start + 1, markup.end - 1).trimmed
        let bytes = inner.bytes
        var wordEnd = inner.start
        while wordEnd < inner.end, !bytes[wordEnd].isWhitespace { wordEnd += 1 }
        var firstEnd = wordEnd
        var dots = inner.skipWhitespace(wordEnd)
        if !(wordEnd < inner.end && isDoubleDot(inner, dots)) {
            dots = wordEnd - 2
            while dots > inner.start, !isDoubleDot(inner, dots) { dots -= 1 }
            firstEnd = dots
        }
        guard firstEnd > inner.start, isDoubleDot(inner, dots) else { return nil }
        let last = inner.part(dots + 2, inner.end).trimmed
        guard last.start < last.end,
            !last.bytes[last.start..<last.end].contains(where: \.isWhitespace)
        else { return nil }
        let first = try laxExpression(inner.part(inner.start, firstEnd), depth: depth + 1)
        return try Literal.range(first, try laxExpression(last, depth: depth + 1))
    }

    private func isDoubleDot(_ markup: Markup, _ index: Int) -> Bool {
        index >= markup.start && index + 1 < markup.end && markup.bytes[index] == Byte.dot
            && markup.bytes[index + 1] == Byte.dot
    }

    /// A path consisting of every name and bracket in the markup.
    private func laxPath(_ markup: Markup, depth: Int) throws(LiquidError) -> Expression {
        var root: Expression?
        var rootName: String?
        var steps: [VariablePath.Step] = []
        var isFirst = true
        var index = markup.start
        // After the last closing bracket there is nothing to search for.
        let lastClose =
            markup.bytes[markup.start..<markup.end].lastIndex(of: Byte.closeSquare) ?? -1
        while index < markup.end {
            let byte = markup.bytes[index]
            if byte.isSegment {
                var close = markup.segmentEnd(index)
                if close < markup.end, markup.bytes[close] == Byte.question { close += 1 }
                if isFirst {
                    rootName = markup.text(index, close)
                } else {
                    steps.append(step(named: markup.text(index, close)))
                }
                isFirst = false
                index = close
            } else if byte == Byte.openSquare, index < lastClose {
                guard let close = bracketEnd(markup, index) else {
                    try checkSearches()
                    index += 1
                    continue
                }
                let inner = try laxExpression(markup.part(index + 1, close - 1), depth: depth + 1)
                if isFirst {
                    root = inner
                    rootName = inner.literalText
                } else {
                    steps.append(.index(inner))
                }
                isFirst = false
                index = close
            } else {
                index += 1
            }
        }
        if let rootName { return path(named: rootName, steps: steps) }
        return .variable(
            VariablePath(root: .computed(root ?? .literal(.null)), steps: steps)
        )
    }

    private func bracketEnd(_ markup: Markup, _ index: Int) -> Int? {
        var depth = 0
        var position = index
        defer { searchBudget -= position - index }
        while position < markup.end, position - index < searchBudget {
            if markup.bytes[position] == Byte.openSquare { depth += 1 }
            if markup.bytes[position] == Byte.closeSquare {
                depth -= 1
                if depth == 0 { return position + 1 }
            }
            position += 1
        }
        return nil
    }
}
