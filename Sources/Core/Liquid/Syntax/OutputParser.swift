/// Parses `expression | filter: arguments | …`.
extension ParseContext {
    func output(_ markup: Markup) throws(LiquidError) -> Output {
        if mode == .strict2 { return try strictOutput(markup, strict2: true) }
        do throws(LiquidError) {
            return try strictOutput(markup, strict2: false)
        } catch {
            guard mode != .strict else { throw error }
            if mode == .warn { warnings.append(error) }
            return try laxOutput(markup)
        }
    }

    private func strictOutput(_ markup: Markup, strict2: Bool) throws(LiquidError) -> Output {
        do throws(LiquidError) {
            var parser = try ExpressionParser(markup, self, strict2: strict2)
            if parser.looks(at: .end) {
                return Output(expression: .literal(.null), filters: [], offset: markup.offset)
            }
            let expression = try parser.expression()
            let filters = parser.looks(at: .end) ? [] : try parser.filters(strict2: strict2)
            try parser.expectEnd()
            return Output(expression: expression, filters: filters, offset: markup.offset)
        } catch {
            throw error.quoting("{{\(markup.text)}}")
        }
    }

    private func laxOutput(_ markup: Markup) throws(LiquidError) -> Output {
        guard let name = markup.fragment(from: markup.start) else {
            return Output(expression: .literal(.null), filters: [], offset: markup.offset)
        }
        let expression = try laxExpression(markup.part(name.start, name.end))
        var filters: [FilterCall] = []
        var index = name.end
        while index < markup.end, markup.bytes[index] != Byte.pipe { index += 1 }
        while index < markup.end {
            // Pipes and unterminated quotes separate the filters.
            index += 1
            let start = index
            while index < markup.end {
                let byte = markup.bytes[index]
                if byte.isWhitespace || byte == Byte.comma {
                    index += 1
                } else if let close = markup.fragmentEnd(index) {
                    index = close
                } else {
                    break
                }
            }
            if let call = try laxFilter(markup.part(start, index)) { filters.append(call) }
        }
        return Output(expression: expression, filters: filters, offset: markup.offset)
    }

    private func laxFilter(_ markup: Markup) throws(LiquidError) -> FilterCall? {
        var nameStart = markup.start
        while nameStart < markup.end, !markup.bytes[nameStart].isWord { nameStart += 1 }
        guard nameStart < markup.end else { return nil }
        let name = markup.text(nameStart, markup.wordEnd(nameStart))
        var arguments: [Expression] = []
        var keywords: [(name: LiquidName, value: Expression)] = []
        var index = markup.start
        while index < markup.end {
            let byte = markup.bytes[index]
            guard byte == Byte.colon || byte == Byte.comma else {
                index += 1
                continue
            }
            let start = markup.skipWhitespace(index + 1)
            if let value = keywordValue(markup, start) {
                let keyword = LiquidName(markup.text(start, markup.wordEnd(start)))
                keywords.append((keyword, try laxExpression(markup.part(value.start, value.end))))
                index = value.end
            } else if let close = markup.fragmentEnd(start) {
                let part = markup.part(start, close)
                if let colon = attributeColon(part) {
                    let value = part.part(colon + 1, close)
                    let keyword = LiquidName(part.text(start, part.segmentEnd(start)))
                    keywords.append((keyword, try laxExpression(value)))
                } else {
                    arguments.append(try laxExpression(part))
                }
                index = close
            } else {
                index += 1
            }
        }
        return call(name, arguments, keywords)
    }

    /// The value of a `name: value` at `index`.
    private func keywordValue(_ markup: Markup, _ index: Int) -> (start: Int, end: Int)? {
        let nameEnd = markup.wordEnd(index)
        guard nameEnd > index else { return nil }
        let colon = markup.skipWhitespace(nameEnd)
        guard colon < markup.end, markup.bytes[colon] == Byte.colon else { return nil }
        let start = markup.skipWhitespace(colon + 1)
        guard let close = markup.fragmentEnd(start) else { return nil }
        return (start, close)
    }

    /// The colon of a fragment that consists entirely of `some-name:value`.
    private func attributeColon(_ markup: Markup) -> Int? {
        guard markup.start < markup.end, markup.bytes[markup.start].isWord else { return nil }
        let colon = markup.segmentEnd(markup.start)
        guard colon + 1 < markup.end, markup.bytes[colon] == Byte.colon,
            markup.fragmentEnd(colon + 1) == markup.end
        else { return nil }
        return colon
    }
}
