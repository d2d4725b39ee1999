import Reasons

/// `{% case value %}{% when value, value %} … {% else %} … {% endcase %}`
///
/// Every `when` that matches is rendered, and an `else` if none before it did.
final class CaseTag: TagNode {
    struct Branch {
        /// Empty for `else`.
        let candidates: [Expression]
        var block = Block()
    }

    let offset: Int
    let isBlank: Bool
    private let subject: Expression
    private let branches: [Branch]

    private init(offset: Int, isBlank: Bool, subject: Expression, branches: [Branch]) {
        self.offset = offset
        self.isBlank = isBlank
        self.subject = subject
        self.branches = branches
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let subject = try context.parse(tag.markup) { () throws(LiquidError) in
            guard let part = tag.markup.fragment(from: tag.markup.start) else {
                throw LiquidError(
                    .syntax,
                    .notWellFormed,
                    ["tag": "case", "form": "case [condition]"]
                )
            }
            return try context.laxExpression(tag.markup.part(part.start, part.end))
        } strict2: { () throws(LiquidError) in
            var words = try ExpressionParser(tag.markup, context, strict2: true)
            let subject = try words.expression()
            try words.expectEnd()
            return subject
        }
        var branches: [Branch] = []
        var isBlank = true
        while true {
            var block = Block()
            let next = try parser.part(of: tag, into: &block)
            isBlank = isBlank && block.isBlank
            if !branches.isEmpty { branches[branches.count - 1].block = block }
            guard let next else { break }
            switch next.name {
            case "when":
                do throws(LiquidError) {
                    let markup = try context.rewritten(next.markup)
                    branches.append(Branch(candidates: try candidates(markup, context)))
                } catch {
                    throw parser.located(error, at: next)
                }
            case "else":
                guard next.markup.isWhitespace else {
                    throw parser.error(
                        .syntax,
                        .caseElse,
                        at: next.offset
                    )
                }
                branches.append(Branch(candidates: []))
            default:
                throw parser.stray(next, in: tag.name)
            }
        }
        if isBlank {
            for index in branches.indices { branches[index].block.removeText() }
        }
        return CaseTag(
            offset: tag.offset,
            isBlank: isBlank,
            subject: subject,
            branches: branches
        )
    }

    private static func candidates(
        _ markup: Markup,
        _ context: ParseContext
    ) throws(LiquidError) -> [Expression] {
        var candidates: [Expression] = []
        if context.mode == .strict2 {
            var words = try ExpressionParser(markup, context, strict2: true)
            while true {
                candidates.append(try words.expression(isOperand: true))
                if try words.accept(word: "or") { continue }
                if try !words.accept(.comma) { break }
            }
            try words.expectEnd()
            return candidates
        }
        var from: Int? = markup.start
        while let start = from {
            guard let part = markup.fragment(from: start) else {
                throw LiquidError(
                    .syntax,
                    .caseWhen,
                    ["form": "{% when [condition] [or condition2...] %}"]
                )
            }
            candidates.append(
                try context.laxExpression(markup.part(part.start, part.end), isOperand: true)
            )
            from = nextCandidate(markup, part.end)
        }
        return candidates
    }

    /// The start of the candidate after a comma or an `or`.
    private static func nextCandidate(_ markup: Markup, _ index: Int) -> Int? {
        let word = markup.skipWhitespace(index)
        guard word < markup.end else { return nil }
        var next = word
        if markup.bytes[word] == Byte.comma {
            next = markup.skipWhitespace(word + 1)
        } else if word > index, word + 2 < markup.end, markup.equals("or", word, word + 2),
            markup.bytes[word + 2].isWhitespace
        {
            next = markup.skipWhitespace(word + 2)
        } else {
            return nil
        }
        return markup.fragmentEnd(next) == nil ? nil : next
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        var isUnmatched = true
        for branch in branches {
            if branch.candidates.isEmpty {
                if isUnmatched { try renderer.render(branch.block) }
                continue
            }
            for candidate in branch.candidates {
                try renderer.spend(1)
                guard try renderer.areEqual(subject, candidate) else { continue }
                isUnmatched = false
                try renderer.render(branch.block)
            }
        }
    }
}
