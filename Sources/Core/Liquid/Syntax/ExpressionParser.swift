import Reasons

/// Parses expressions strictly: every token must be in its place.
struct ExpressionParser {
    private(set) var lexer: Lexer
    /// Whether `[name]` without a preceding expression is an error.
    let refusesBareBrackets: Bool
    let context: ParseContext
    private var depth = 0

    init(_ markup: Markup, _ context: ParseContext, strict2: Bool = false) throws(LiquidError) {
        lexer = try Lexer(markup)
        refusesBareBrackets = strict2
        self.context = context
    }

    func looks(at kind: Lexer.Kind) -> Bool { lexer.kind == kind }

    /// Whether a `name:` comes next.
    func looksAtKeyword() throws(LiquidError) -> Bool {
        guard lexer.kind == .identifier else { return false }
        return try lexer.kindAfter() == .colon
    }

    mutating func accept(_ kind: Lexer.Kind) throws(LiquidError) -> Bool {
        guard lexer.kind == kind else { return false }
        try lexer.advance()
        return true
    }

    mutating func accept(word: StaticString) throws(LiquidError) -> Bool {
        guard lexer.isWord(word) else { return false }
        try lexer.advance()
        return true
    }

    @discardableResult
    mutating func expect(_ kind: Lexer.Kind) throws(LiquidError) -> String {
        guard lexer.kind == kind else {
            throw failure(.expected, ["kind": "\(kind.name)", "other": "\(lexer.kind.name)"])
        }
        if kind == .end { return "" }
        let text = lexer.text
        try lexer.advance()
        return text
    }

    mutating func expectEnd() throws(LiquidError) {
        guard lexer.kind == .end else {
            throw failure(.expected, ["kind": "end_of_string", "other": "\(lexer.kind.name)"])
        }
    }

    /// Parses an expression; with `isOperand`, `blank` and `empty` mean the tests that they are in
    /// a comparison.
    mutating func expression(isOperand: Bool = false) throws(LiquidError) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= context.limits.nesting else {
            throw LiquidError(.syntax, .nestingLimit)
        }
        switch lexer.kind {
        case .identifier:
            let start = lexer.start
            let end = lexer.end
            try lexer.advance()
            if lexer.kind != .dot, lexer.kind != .openSquare {
                if let literal = Literal.named(lexer.markup, start, end, isOperand: isOperand) {
                    return literal
                }
                return context.variable(named: lexer.markup.text(start, end))
            }
            let steps = try self.steps()
            return context.path(named: lexer.markup.text(start, end), steps: steps)
        case .openSquare:
            guard !refusesBareBrackets else {
                throw LiquidError(
                    .syntax,
                    .bareBracket
                )
            }
            try lexer.advance()
            let name = try expression()
            try expect(.closeSquare)
            let steps = try self.steps()
            if let text = name.literalText { return context.path(named: text, steps: steps) }
            return .variable(VariablePath(root: .computed(name), steps: steps))
        case .string:
            let text = lexer.markup.text(lexer.start + 1, lexer.end - 1)
            try lexer.advance()
            return .literal(.string(text))
        case .number:
            let value = Literal.number(lexer.markup, lexer.start, lexer.end)
            try lexer.advance()
            return .literal(value ?? .null)
        case .openRound:
            try lexer.advance()
            let first = try expression()
            try expect(.doubleDot)
            let last = try expression()
            try expect(.closeRound)
            return try Literal.range(first, last)
        default:
            throw failure(.wordsNoExpression, ["words": "\(describe())"])
        }
    }

    /// The error for a misplaced token. An invalid character later in the source takes precedence,
    /// because the reference reads all tokens before it checks their order.
    private func failure(
        _ code: LiquidReason,
        _ arguments: [String: Reason.Argument]
    ) -> LiquidError {
        var rest = lexer
        do throws(LiquidError) {
            while rest.kind != .end { try rest.advance() }
        } catch {
            return error
        }
        return LiquidError(.syntax, code, arguments)
    }

    private func describe() -> String {
        lexer.kind == .end
            ? "[:end_of_string]"
            : "[:\(lexer.kind.name), \"\(lexer.text)\"]"
    }

    private mutating func steps() throws(LiquidError) -> [VariablePath.Step] {
        var steps: [VariablePath.Step] = []
        while true {
            if try accept(.dot) {
                guard lexer.kind == .identifier else {
                    throw failure(.expected, ["kind": "id", "other": "\(lexer.kind.name)"])
                }
                steps.append(context.step(named: lexer.text))
                try lexer.advance()
            } else if try accept(.openSquare) {
                let index = try expression()
                try expect(.closeSquare)
                steps.append(.index(index))
            } else {
                return steps
            }
        }
    }

    /// `| name: argument, keyword: argument | …`
    ///
    /// `strict2` allows an argument list to be empty or to end in a comma.
    mutating func filters(strict2: Bool) throws(LiquidError) -> [FilterCall] {
        var calls: [FilterCall] = []
        while try accept(.pipe) {
            let name = try expect(.identifier)
            var arguments: [Expression] = []
            var keywords: [(name: LiquidName, value: Expression)] = []
            if try accept(.colon) {
                repeat {
                    if strict2, lexer.kind == .pipe || lexer.kind == .end { break }
                    if try looksAtKeyword() {
                        let keyword = LiquidName(try expect(.identifier))
                        try expect(.colon)
                        keywords.append((keyword, try expression()))
                    } else {
                        arguments.append(try expression())
                    }
                } while try accept(.comma)
            }
            calls.append(context.call(name, arguments, keywords))
        }
        return calls
    }

    /// The source read since `start`, without white space.
    func compactText(from start: Int) -> String {
        var bytes: [UInt8] = []
        var quote: UInt8 = 0
        for byte in lexer.markup.bytes[start..<lexer.start] {
            if quote == 0, byte.isWhitespace { continue }
            if byte == quote {
                quote = 0
            } else if quote == 0, byte == Byte.quote || byte == Byte.apostrophe {
                quote = byte
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
