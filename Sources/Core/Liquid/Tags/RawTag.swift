import Reasons

/// `{% raw %} … {% endraw %}`: printed unchanged.
final class RawTag: TagNode {
    let offset: Int
    let isBlank: Bool
    /// Bytes of the source.
    private let range: Range<Int>

    private init(offset: Int, range: Range<Int>) {
        self.offset = offset
        self.range = range
        isBlank = range.isEmpty
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        guard tag.markup.isWhitespace else {
            throw LiquidError(.syntax, .notWellFormed, ["tag": "raw", "form": "raw"])
        }
        var start: Int?
        while let token = parser.skipToken() {
            if start == nil { start = token.start }
            if let end = parser.endTag("endraw", in: token) {
                return RawTag(offset: tag.offset, range: (start ?? end)..<end)
            }
        }
        throw parser.neverClosed(tag)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        renderer.note(bytes: range.count)
        renderer.output.append(contentsOf: renderer.source[range])
    }
}

extension TemplateParser {
    /// The start of the tag `name` in a token, if it is the token's last tag; records the `-%}` of
    /// that tag.
    func endTag(_ name: String, in token: SkippedToken) -> Int? {
        guard !token.isLine, let (start, found) = lastTag(in: token), found == name else {
            return nil
        }
        context.trimsWhitespace = bytes[token.end - 3] == Byte.dash
        return start
    }

    /// The last tag in a token, after any other content.
    func lastTag(in token: SkippedToken) -> (start: Int, name: String)? {
        guard token.end - token.start >= 5, bytes[token.end - 1] == Byte.closeBrace,
            bytes[token.end - 2] == Byte.percent
        else { return nil }
        var index = token.end - 4
        while index >= token.start {
            if bytes[index] == Byte.openBrace, bytes[index + 1] == Byte.percent {
                var nameStart = index + 2
                if bytes[nameStart] == Byte.dash { nameStart += 1 }
                while nameStart < token.end, bytes[nameStart].isWhitespace { nameStart += 1 }
                var nameEnd = nameStart
                while nameEnd < token.end - 2, bytes[nameEnd].isWord { nameEnd += 1 }
                if nameEnd > nameStart {
                    return (index, String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self))
                }
            }
            index -= 1
        }
        return nil
    }
}
