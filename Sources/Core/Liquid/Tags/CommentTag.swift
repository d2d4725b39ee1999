import Reasons

/// `{% comment %} … {% endcomment %}`: skipped, including nested comments and raw blocks.
enum CommentTag {
    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        var depth = 1
        while let token = parser.skipToken() {
            switch token.name {
            case "raw": try skipRaw(tag, &parser)
            case "comment": depth += 1
            case "endcomment": depth -= 1
            default: break
            }
            if depth == 0 {
                if !token.isLine {
                    parser.context.trimsWhitespace = parser.bytes[token.end - 3] == Byte.dash
                }
                return nil
            }
        }
        throw parser.neverClosed(tag)
    }

    private static func skipRaw(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) {
        while let token = parser.skipToken() {
            if !token.isLine, parser.lastTag(in: token)?.name == "endraw" { return }
        }
        throw parser.error(.syntax, .unclosedTag, ["tag": "raw"], at: tag.offset)
    }
}

/// `{% doc %} … {% enddoc %}`: documentation, skipped. It stays in the tree because a block that
/// contains one does not count as blank.
final class DocTag: TagNode {
    let offset: Int
    let isBlank: Bool

    private init(offset: Int, isBlank: Bool) {
        self.offset = offset
        self.isBlank = isBlank
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {}

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        guard tag.markup.isWhitespace else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                ["tag": "doc", "form": "{% doc %}{% enddoc %}"]
            )
        }
        var start: Int?
        while let token = parser.skipToken() {
            if parser.lastTag(in: token)?.name == "doc", !token.isLine {
                throw LiquidError(
                    .syntax,
                    .nestedDoc
                )
            }
            if start == nil { start = token.start }
            if let end = parser.endTag("enddoc", in: token) {
                return DocTag(offset: tag.offset, isBlank: start == end)
            }
        }
        throw parser.neverClosed(tag)
    }
}

/// `{% # comment %}`: every further line must also start with `#`.
enum InlineCommentTag {
    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let markup = tag.markup
        var index = markup.start
        while index < markup.end {
            guard markup.bytes[index] == Byte.newline else {
                index += 1
                continue
            }
            index = markup.skipWhitespace(index + 1)
            if index < markup.end, markup.bytes[index] != Byte.hash {
                throw LiquidError(
                    .syntax,
                    .commentLines
                )
            }
        }
        return nil
    }
}
