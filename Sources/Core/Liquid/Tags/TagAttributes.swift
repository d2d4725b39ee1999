/// Text that contains outputs: `https://example.com/{{${user_id}}}`.
struct Interpolation: Sendable {
    enum Piece: Sendable {
        case text(String)
        case output(Output)
    }

    var pieces: [Piece] = []
}

extension Renderer {
    mutating func text(of pieces: Interpolation) throws(LiquidError) -> String {
        var text = ""
        for piece in pieces.pieces {
            switch piece {
            case .text(let part): text += part
            case .output(let output): text += plainText(try value(of: output))
            }
            try allow(bytes: text.utf8.count)
            try spend(1)
        }
        return text
    }
}

/// A markup of words and `:option word …`, as in the messaging tags.
///
/// White space separates words, except inside outputs, quotes and curly brackets.
struct TagAttributes {
    private let context: ParseContext
    private let markup: Markup
    /// Words before the first option.
    private(set) var leading: [Markup] = []
    private var options: [(name: String, words: [Markup])] = []

    init(_ markup: Markup, _ context: ParseContext) {
        self.markup = markup
        self.context = context
        var index = markup.skipWhitespace(markup.start)
        while index < markup.end {
            let end = wordEnd(index)
            let word = markup.part(index, end)
            if markup.bytes[index] == Byte.colon, end > index + 1,
                markup.bytes[index + 1].isLetter
            {
                options.append((markup.text(index + 1, end), []))
            } else if options.isEmpty {
                leading.append(word)
            } else {
                options[options.count - 1].words.append(word)
            }
            index = markup.skipWhitespace(end)
        }
    }

    var optionNames: [String] { options.map(\.name) }

    /// The words of an option, joined as written; `nil` if the option is missing.
    func option(_ name: String) throws(LiquidError) -> Interpolation? {
        guard let option = options.last(where: { $0.name == name }) else { return nil }
        guard let first = option.words.first, let last = option.words.last else {
            return Interpolation()
        }
        return try pieces(markup.part(first.start, last.end))
    }

    /// Parses the outputs in a text, without surrounding quotes.
    func pieces(_ part: Markup) throws(LiquidError) -> Interpolation {
        var part = part
        if part.end - part.start >= 2, part.quotedEnd(part.start) == part.end {
            part = part.part(part.start + 1, part.end - 1)
        }
        var pieces: [Interpolation.Piece] = []
        var textStart = part.start
        var index = part.start
        while index < part.end {
            guard part.bytes[index] == Byte.openBrace, index + 1 < part.end,
                part.bytes[index + 1] == Byte.openBrace,
                let end = context.outputEnd(part, index)
            else {
                try context.checkSearches()
                index += 1
                continue
            }
            if textStart < index { pieces.append(.text(part.text(textStart, index))) }
            let inner = part.part(index + 2, end - 2)
            pieces.append(.output(try context.output(try context.rewritten(inner))))
            index = end
            textStart = end
        }
        if textStart < part.end { pieces.append(.text(part.text(textStart, part.end))) }
        return Interpolation(pieces: pieces)
    }

    private func wordEnd(_ start: Int) -> Int {
        let bytes = markup.bytes
        var depth = 0
        var index = start
        while index < markup.end {
            let byte = bytes[index]
            if byte == Byte.openBrace, index + 1 < markup.end, bytes[index + 1] == Byte.openBrace,
                let end = context.outputEnd(markup, index)
            {
                index = end
                continue
            }
            if byte == Byte.quote || byte == Byte.apostrophe, depth > 0 || index == start,
                let end = markup.quotedEnd(index)
            {
                index = end
                continue
            }
            if byte == Byte.openBrace { depth += 1 }
            if byte == Byte.closeBrace { depth -= 1 }
            if byte.isWhitespace, depth <= 0 { break }
            index += 1
        }
        return index
    }
}
