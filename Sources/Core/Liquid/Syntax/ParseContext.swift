/// The state of parsing one template.
///
/// It is a class because every parser of a template adds to it; it is discarded after parsing.
final class ParseContext {
    /// A construct of the messaging dialect, replaced by a name while its tag is parsed.
    enum Placeholder {
        case attribute(String)
        case output(Output)
    }

    private static let searchesPerByte = 16

    let mode: Template.Mode
    let dialect: Template.Dialect
    let limits: LiquidLimits
    var warnings: [LiquidError] = []
    var asksQuestions = false
    /// The content blocks named so far, each once.
    private(set) var contentBlocks: [String] = []
    private var knownBlocks: Set<String> = []
    /// The attributes named so far, each once.
    private(set) var attributes: [AttributeUse] = []
    private var knownAttributes: Set<AttributeUse> = []
    /// The unknown filters named so far, each once.
    private(set) var unknownFilters: [String] = []
    /// Number of bytes that searches for closing delimiters may still read. A failed search does
    /// not rule out the next one, so without this limit a source of open brackets would take
    /// quadratic time.
    var searchBudget: Int
    /// Whether the next text loses its leading white space.
    var trimsWhitespace = false
    /// Number of open blocks.
    var depth = 0
    private var placeholders: [Placeholder] = []
    private var outputDepth = 0
    private var identities = 0

    /// - Parameter bytes: Size of the source.
    init(mode: Template.Mode, dialect: Template.Dialect, limits: LiquidLimits, bytes: Int) {
        searchBudget = Self.searchesPerByte * bytes + 4096
        self.mode = mode
        self.dialect = dialect
        self.limits = limits
    }

    /// A number that is unique in the template.
    func identity() -> Int {
        identities += 1
        return identities
    }

    func call(
        _ name: String,
        _ arguments: [Expression],
        _ keywords: [(name: LiquidName, value: Expression)]
    ) -> FilterCall {
        let filter = Filters.named(name, in: dialect)
        if filter == nil, !unknownFilters.contains(name) { unknownFilters.append(name) }
        return FilterCall(
            name: name,
            filter: filter,
            arguments: arguments,
            keywords: keywords
        )
    }

    func variable(named text: String) -> Expression { path(named: text, steps: []) }

    func path(named text: String, steps: [VariablePath.Step]) -> Expression {
        if let placeholder = placeholder(text) {
            switch placeholder {
            case .attribute(let name):
                note(name, isCustom: false)
                return .variable(VariablePath(root: .attribute(LiquidName(name)), steps: steps))
            case .output(let output):
                return steps.isEmpty
                    ? .nested(output)
                    : .variable(VariablePath(root: .nested(output), steps: steps))
            }
        }
        if case .key(let key)? = steps.first, key.isAttribute {
            var root = VariablePath.Root.member(key.name, group: LiquidName(text))
            if text == "custom_attribute" { note(key.name.text, isCustom: true) }
            if text == "content_blocks" {
                root = .contentBlock(key.name.text)
                if knownBlocks.insert(key.name.text).inserted {
                    contentBlocks.append(key.name.text)
                }
            }
            return .variable(VariablePath(root: root, steps: Array(steps.dropFirst())))
        }
        return .variable(VariablePath(root: .name(LiquidName(text)), steps: steps))
    }

    private func note(_ name: String, isCustom: Bool) {
        let use = AttributeUse(name: name, isCustom: isCustom, needsDefault: false)
        if knownAttributes.insert(use).inserted { attributes.append(use) }
    }

    func step(named text: String) -> VariablePath.Step {
        switch placeholder(text) {
        case .attribute(let name): .key(PathKey(name, isAttribute: true))
        case .output(let output): .index(.nested(output))
        case nil: .key(PathKey(text))
        }
    }

    private func placeholder(_ text: String) -> Placeholder? {
        guard text.utf8.first == Byte.placeholder else { return nil }
        var index = 0
        for byte in text.utf8.dropFirst() {
            guard byte.isDigit, index < placeholders.count else { break }
            index = index * 10 + Int(byte - 48)
        }
        guard placeholders.indices.contains(index) else { return nil }
        return placeholders[index]
    }

    /// The markup with `${name}` and `{{ … }}` replaced by names the parsers can read.
    func rewritten(_ markup: Markup) throws(LiquidError) -> Markup {
        guard dialect == .messaging, holdsDialect(markup) else { return markup }
        outputDepth += 1
        defer { outputDepth -= 1 }
        guard outputDepth <= limits.nesting else { throw LiquidError(.syntax, .nestingLimit) }
        let bytes = markup.bytes
        var rewritten: [UInt8] = []
        rewritten.reserveCapacity(markup.end - markup.start + 8)
        var quote: UInt8 = 0
        var index = markup.start
        let lastClose = bytes[markup.start..<markup.end].lastIndex(of: Byte.closeBrace) ?? -1
        while index < markup.end {
            let byte = bytes[index]
            let next = index + 1 < markup.end ? bytes[index + 1] : 0
            if quote == 0, byte == Byte.dollar, next == Byte.openBrace, index < lastClose,
                let close = bytes[index..<markup.end].firstIndex(of: Byte.closeBrace)
            {
                let name = markup.part(index + 2, close).trimmed.text
                append(.attribute(name), to: &rewritten)
                index = close + 1
            } else if quote == 0, byte == Byte.openBrace, next == Byte.openBrace,
                let close = outputEnd(markup, index)
            {
                var inner = markup.part(index + 2, close - 2)
                inner.offset = markup.offset + (index - markup.start)
                append(.output(try output(try self.rewritten(inner))), to: &rewritten)
                index = close
            } else {
                if quote == 0, byte == Byte.quote || byte == Byte.apostrophe {
                    quote = byte
                } else if byte == quote {
                    quote = 0
                }
                if byte == Byte.openBrace { try checkSearches() }
                rewritten.append(byte)
                index += 1
            }
        }
        return Markup(bytes: rewritten, start: 0, end: rewritten.count, offset: markup.offset)
    }

    private func append(_ placeholder: Placeholder, to bytes: inout [UInt8]) {
        bytes.append(Byte.placeholder)
        NumberFormatting.append(placeholders.count, to: &bytes)
        bytes.append(Byte.placeholder)
        placeholders.append(placeholder)
    }

    private func holdsDialect(_ markup: Markup) -> Bool {
        var index = markup.start
        while index + 1 < markup.end {
            if markup.bytes[index + 1] == Byte.openBrace,
                markup.bytes[index] == Byte.dollar || markup.bytes[index] == Byte.openBrace
            {
                return true
            }
            index += 1
        }
        return false
    }

    /// Throws if searches have read too much: far too many delimiters are nested or unterminated.
    func checkSearches() throws(LiquidError) {
        guard searchBudget > 0 else { throw LiquidError(.syntax, .nestingLimit) }
    }

    /// The end of the output that starts at `index`, including its braces.
    func outputEnd(_ markup: Markup, _ index: Int) -> Int? {
        let bytes = markup.bytes
        var depth = 0
        var position = index
        defer { searchBudget -= position - index }
        while position + 1 < markup.end, position - index < searchBudget {
            let byte = bytes[position]
            let next = bytes[position + 1]
            if byte == Byte.dollar, next == Byte.openBrace {
                while position < markup.end, bytes[position] != Byte.closeBrace { position += 1 }
                position += 1
            } else if byte == Byte.openBrace, next == Byte.openBrace {
                depth += 1
                position += 2
            } else if byte == Byte.closeBrace, next == Byte.closeBrace {
                depth -= 1
                position += 2
                if depth == 0 { return position }
            } else {
                position += 1
            }
        }
        return nil
    }
}
