import Reasons

/// Splits an expression into tokens for the strict parsers.
struct Lexer {
    enum Kind: Equatable {
        case identifier, number, string, comparison, pipe, dot, doubleDot, colon, comma
        case openSquare, closeSquare, openRound, closeRound, question, dash, end

        /// The name used in error messages.
        var name: String {
            switch self {
            case .identifier: "id"
            case .number: "number"
            case .string: "string"
            case .comparison: "comparison"
            case .pipe: "pipe"
            case .dot: "dot"
            case .doubleDot: "dotdot"
            case .colon: "colon"
            case .comma: "comma"
            case .openSquare: "open_square"
            case .closeSquare: "close_square"
            case .openRound: "open_round"
            case .closeRound: "close_round"
            case .question: "question"
            case .dash: "dash"
            case .end: "end_of_string"
            }
        }
    }

    let markup: Markup
    /// The current token.
    private(set) var kind = Kind.end
    private(set) var start: Int
    private(set) var end: Int

    init(_ markup: Markup) throws(LiquidError) {
        self.markup = markup
        start = markup.start
        end = markup.start
        try advance()
    }

    var text: String { markup.text(start, end) }

    func isWord(_ word: StaticString) -> Bool {
        kind == .identifier && markup.equals(word, start, end)
    }

    /// The kind of the token after this one.
    func kindAfter() throws(LiquidError) -> Kind {
        var copy = self
        try copy.advance()
        return copy.kind
    }

    mutating func advance() throws(LiquidError) {
        let bytes = markup.bytes
        let limit = markup.end
        let afterDot = kind == .dot
        var index = end
        while index < limit, bytes[index].isWhitespace { index += 1 }
        start = index
        guard index < limit else {
            kind = .end
            end = index
            return
        }
        let byte = bytes[index]
        let next = index + 1 < limit ? bytes[index + 1] : 0
        if byte.isLetter || byte == Byte.underscore || byte == Byte.placeholder {
            index += 1
            while index < limit, bytes[index].isSegment { index += 1 }
            if index < limit, bytes[index] == Byte.question { index += 1 }
            kind = !afterDot && markup.equals("contains", start, index) ? .comparison : .identifier
            end = index
            return
        }
        if byte.isDigit || (byte == Byte.dash && next.isDigit) {
            index += 1
            while index < limit, bytes[index].isDigit { index += 1 }
            if index + 1 < limit, bytes[index] == Byte.dot, bytes[index + 1].isDigit {
                index += 2
                while index < limit, bytes[index].isDigit { index += 1 }
            }
            kind = .number
            end = index
            return
        }
        if byte == Byte.quote || byte == Byte.apostrophe {
            index += 1
            while index < limit, bytes[index] != byte { index += 1 }
            guard index < limit else { throw unexpected() }
            kind = .string
            end = index + 1
            return
        }
        try advancePunctuation(byte, next)
    }

    private mutating func advancePunctuation(_ byte: UInt8, _ next: UInt8) throws(LiquidError) {
        end = start + 1
        switch byte {
        case Byte.pipe: kind = .pipe
        case Byte.colon: kind = .colon
        case Byte.comma: kind = .comma
        case Byte.openSquare: kind = .openSquare
        case Byte.closeSquare: kind = .closeSquare
        case Byte.openRound: kind = .openRound
        case Byte.closeRound: kind = .closeRound
        case Byte.question: kind = .question
        case Byte.dash: kind = .dash
        case Byte.dot:
            kind = next == Byte.dot ? .doubleDot : .dot
            if next == Byte.dot { end += 1 }
        case Byte.equals, Byte.exclamation:
            guard next == Byte.equals else { throw unexpected() }
            kind = .comparison
            end += 1
        case Byte.less:
            kind = .comparison
            if next == Byte.equals || next == Byte.greater { end += 1 }
        case Byte.greater:
            kind = .comparison
            if next == Byte.equals { end += 1 }
        default:
            throw unexpected()
        }
    }

    private func unexpected() -> LiquidError {
        let rest = String(decoding: markup.bytes[start..<markup.end].prefix(4), as: UTF8.self)
        let character = rest.unicodeScalars.first.map { String($0) } ?? ""
        return LiquidError(.syntax, .unexpectedCharacter, ["character": "\(character)"])
    }
}
