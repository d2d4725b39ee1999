import Reasons

/// A tag in the source.
struct TagMarkup {
    let name: String
    /// The text after the name.
    let markup: Markup
    /// The offset of the tag's content, for errors.
    let offset: Int
}

/// The source of a parser's tokens: a document, or the lines of a `liquid` tag.
enum TokenReader {
    case document(Tokenizer)
    case lines(LineReader)
}

struct LineReader {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    mutating func next() -> (start: Int, end: Int)? {
        guard position < end else { return nil }
        let start = position
        while position < end, bytes[position] != Byte.newline { position += 1 }
        let line = (start, position)
        position += 1
        return line
    }
}

/// Builds the tree of a template from its tokens.
struct TemplateParser {
    let bytes: [UInt8]
    let context: ParseContext
    var reader: TokenReader

    init(_ bytes: [UInt8], _ context: ParseContext) {
        self.bytes = bytes
        self.context = context
        reader = .document(Tokenizer(bytes, dialect: context.dialect))
    }

    /// Parses the whole document.
    mutating func document() throws(LiquidError) -> Block {
        var block = Block()
        while let stray = try nodes(into: &block) {
            switch stray.name {
            case "else", "end":
                throw error(.syntax, .outerTag, ["tag": "\(stray.name)"], at: stray.offset)
            default:
                throw error(.syntax, .unknownTag, ["tag": "\(stray.name)"], at: stray.offset)
            }
        }
        return block
    }

    /// Parses a part of a block tag into `block`.
    ///
    /// Returns the tag that ended the part if it is not the end tag, for example an `else`.
    mutating func part(
        of tag: TagMarkup,
        into block: inout Block
    ) throws(LiquidError) -> TagMarkup? {
        guard context.depth < context.limits.nesting else {
            throw error(.stackLevel, .nestingLimit, at: tag.offset)
        }
        context.depth += 1
        defer { context.depth -= 1 }
        guard let stray = try nodes(into: &block) else { throw neverClosed(tag) }
        if stray.name.utf8.count == tag.name.utf8.count + 3, stray.name.hasPrefix("end"),
            stray.name.hasSuffix(tag.name)
        {
            return nil
        }
        return stray
    }

    func neverClosed(_ tag: TagMarkup) -> LiquidError {
        error(.syntax, .unclosedTag, ["tag": "\(tag.name)"], at: tag.offset)
    }

    /// The error for a tag that is not allowed inside `block`.
    func stray(_ tag: TagMarkup, in block: String, delimiter: String? = nil) -> LiquidError {
        if tag.name == "else" {
            return error(.syntax, .noElse, ["block": "\(block)"], at: tag.offset)
        }
        if tag.name.hasPrefix("end") {
            return error(
                .syntax,
                .delimiter,
                [
                    "tag": "\(tag.name)", "block": "\(block)",
                    "end": "\(delimiter ?? "end\(block)")",
                ],
                at: tag.offset
            )
        }
        return error(.syntax, .unknownTag, ["tag": "\(tag.name)"], at: tag.offset)
    }

    func located(_ error: LiquidError, at tag: TagMarkup) -> LiquidError {
        error.located(at: tag.offset, in: bytes, named: nil)
    }

    func error(
        _ kind: LiquidError.Kind,
        _ code: LiquidReason,
        _ arguments: [String: Reason.Argument] = [:],
        at offset: Int
    ) -> LiquidError {
        LiquidError(kind, code, arguments).located(at: offset, in: bytes, named: nil)
    }

    /// Parses nodes up to an unknown tag and returns that tag, or `nil` at the end.
    private mutating func nodes(into block: inout Block) throws(LiquidError) -> TagMarkup? {
        var endsInText = false
        while true {
            switch reader {
            case .lines:
                guard let line = nextLine() else { return nil }
                if let stray = try self.line(line, into: &block) { return stray }
                endsInText = false
            case .document:
                guard let token = nextToken() else { return nil }
                switch token {
                case .text(var start, let end):
                    if context.trimsWhitespace {
                        while start < end, bytes[start].isWhitespace || bytes[start] == 0 {
                            start += 1
                        }
                        context.trimsWhitespace = false
                    }
                    if block.isBlank {
                        block.isBlank = bytes[start..<end].allSatisfy(\.isWhitespace)
                    }
                    block.nodes.append(.text(start, end))
                    endsInText = true
                case .output(let start, let end):
                    trim(start, end, &block, endsInText)
                    block.nodes.append(.output(try output(start, end)))
                    block.isBlank = false
                    endsInText = false
                case .tag(let start, let end):
                    trim(start, end, &block, endsInText)
                    let count = block.nodes.count
                    let found = try tag(start, end)
                    if found.name == "liquid" {
                        try lines(of: found, into: &block)
                        if block.nodes.count > count { endsInText = false }
                        continue
                    }
                    if try !node(found, into: &block) { return found }
                    endsInText = false
                }
            }
        }
    }

    private mutating func nextToken() -> Tokenizer.Token? {
        guard case .document(var tokenizer) = reader else { return nil }
        let token = tokenizer.next()
        reader = .document(tokenizer)
        return token
    }

    private mutating func nextLine() -> (start: Int, end: Int)? {
        guard case .lines(var lines) = reader else { return nil }
        let line = lines.next()
        reader = .lines(lines)
        return line
    }

    /// Removes the white space before a `{{-` or `{%-` and records a `-}}` or `-%}`.
    private func trim(_ start: Int, _ end: Int, _ block: inout Block, _ endsInText: Bool) {
        if start + 2 < end, bytes[start + 2] == Byte.dash, endsInText,
            case .text(let from, var to)? = block.nodes.last
        {
            while to > from, bytes[to - 1].isWhitespace || bytes[to - 1] == 0 { to -= 1 }
            block.nodes[block.nodes.count - 1] = .text(from, to)
        }
        context.trimsWhitespace = end - 3 >= start && bytes[end - 3] == Byte.dash
    }

    private func output(_ start: Int, _ end: Int) throws(LiquidError) -> Output {
        guard end - start >= 4, bytes[end - 1] == Byte.closeBrace, bytes[end - 2] == Byte.closeBrace
        else {
            let token = String(decoding: bytes[start..<end], as: UTF8.self)
            throw error(
                .syntax,
                .variableNotEnded,
                ["token": "\(token)"],
                at: start
            )
        }
        var from = start + 2
        var to = end - 2
        if bytes[from] == Byte.dash { from += 1 }
        if to > from, bytes[to - 1] == Byte.dash { to -= 1 }
        let markup = Markup(bytes: bytes, start: from, end: max(from, to), offset: start)
        do {
            return try context.output(try context.rewritten(markup))
        } catch {
            throw error.located(at: start, in: bytes, named: nil)
        }
    }

    /// The name and the markup of a tag with braces.
    private func tag(_ start: Int, _ end: Int) throws(LiquidError) -> TagMarkup {
        guard end - start >= 4 else {
            throw error(
                .syntax,
                .tagNotEnded,
                ["token": "{%"],
                at: start
            )
        }
        guard let range = tagName(start, end) else {
            let token = String(decoding: bytes[start..<end], as: UTF8.self)
            throw error(.syntax, .unknownTag, ["tag": "\(token)"], at: start)
        }
        let name = String(decoding: bytes[range], as: UTF8.self)
        let nameStart = range.lowerBound
        let nameEnd = range.upperBound
        var index = nameEnd
        while index < end - 2, bytes[index].isWhitespace { index += 1 }
        var close = end - 2
        if close > index, bytes[close - 1] == Byte.dash { close -= 1 }
        // The reference assigns a tag to the line on which its markup starts.
        let isSplit = bytes[nameEnd..<index].contains(Byte.newline)
        return TagMarkup(
            name: name,
            markup: Markup(bytes: bytes, start: index, end: close),
            offset: isSplit ? index : nameStart
        )
    }

    /// The range of the name of a tag with braces; `nil` for a tag without a name.
    private func tagName(_ start: Int, _ end: Int) -> Range<Int>? {
        guard end - start >= 4, bytes[start] == Byte.openBrace, bytes[start + 1] == Byte.percent
        else { return nil }
        var index = start + 2
        if bytes[index] == Byte.dash { index += 1 }
        while index < end, bytes[index].isWhitespace { index += 1 }
        let nameStart = index
        if bytes[index] == Byte.hash {
            index += 1
        } else {
            while index < end - 2, bytes[index].isWord { index += 1 }
        }
        return index > nameStart ? nameStart..<index : nil
    }

    /// Parses a tag into `block`; `false` if the tag is unknown.
    private mutating func node(
        _ tag: TagMarkup,
        into block: inout Block
    ) throws(LiquidError) -> Bool {
        guard let parse = Tags.parser(tag.name, in: context.dialect) else { return false }
        do {
            // The messaging tags parse their markup themselves, because it contains text.
            var found = tag
            if !Tags.readsText(tag.name) {
                found = TagMarkup(
                    name: tag.name,
                    markup: try context.rewritten(tag.markup),
                    offset: tag.offset
                )
            }
            if let node = try parse(found, &self) {
                block.isBlank = block.isBlank && node.isBlank
                block.nodes.append(.tag(node))
            }
        } catch {
            throw error.located(at: tag.offset, in: bytes, named: nil)
        }
        return true
    }

    /// Parses one line of a `liquid` tag; returns its tag if it is unknown.
    private mutating func line(
        _ line: (start: Int, end: Int),
        into block: inout Block
    ) throws(LiquidError) -> TagMarkup? {
        guard let found = lineTag(line) else { return nil }
        if found.name == "liquid" {
            try lines(of: found, into: &block)
            return nil
        }
        return try node(found, into: &block) ? nil : found
    }

    /// The name and the markup of a line; `nil` for an empty one.
    private func lineTag(_ line: (start: Int, end: Int)) -> TagMarkup? {
        var index = line.start
        while index < line.end, bytes[index].isWhitespace { index += 1 }
        guard index < line.end else { return nil }
        let nameStart = index
        if bytes[index] == Byte.hash {
            index += 1
        } else {
            while index < line.end, bytes[index].isWord { index += 1 }
        }
        let isTag = index > nameStart
        let name = String(
            decoding: bytes[nameStart..<(isTag ? index : line.end)],
            as: UTF8.self
        )
        while index < line.end, bytes[index].isWhitespace { index += 1 }
        return TagMarkup(
            name: name,
            markup: Markup(bytes: bytes, start: index, end: line.end),
            offset: nameStart
        )
    }

    private mutating func lines(
        of tag: TagMarkup,
        into block: inout Block
    ) throws(LiquidError) {
        guard context.depth < context.limits.nesting else {
            throw error(.stackLevel, .nestingLimit, at: tag.offset)
        }
        context.depth += 1
        defer { context.depth -= 1 }
        let outer = reader
        reader = .lines(
            LineReader(bytes: bytes, position: tag.markup.start, end: tag.markup.end)
        )
        if let stray = try nodes(into: &block) {
            throw self.stray(stray, in: "liquid", delimiter: "%}")
        }
        reader = outer
    }

    /// The next tag, output, text or line, unparsed, for tags that skip their content.
    mutating func skipToken() -> SkippedToken? {
        if case .lines = reader {
            while let line = nextLine() {
                guard let tag = lineTag(line) else { continue }
                return SkippedToken(start: line.start, end: line.end, name: tag.name, isLine: true)
            }
            return nil
        }
        guard let token = nextToken() else { return nil }
        switch token {
        case .text(let start, let end), .output(let start, let end):
            return SkippedToken(start: start, end: end, name: nil, isLine: false)
        case .tag(let start, let end):
            return SkippedToken(
                start: start,
                end: end,
                name: tagName(start, end).map { String(decoding: bytes[$0], as: UTF8.self) },
                isLine: false
            )
        }
    }
}

/// A token that is skipped unless it is the tag that ends the block.
struct SkippedToken {
    let start: Int
    let end: Int
    /// The tag's name; `nil` if the token is not a tag.
    let name: String?
    let isLine: Bool
}
