import Reasons

/// `{% abort_message('reason') %}`: the message is not sent, and the reason is reported.
final class AbortMessageTag: TagNode {
    let offset: Int
    let isBlank = false
    private let reason: Output?

    private init(offset: Int, reason: Output?) {
        self.offset = offset
        self.reason = reason
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        var markup = tag.markup.trimmed
        if markup.start < markup.end, markup.bytes[markup.start] == Byte.openRound {
            guard markup.bytes[markup.end - 1] == Byte.closeRound else {
                throw LiquidError(
                    .syntax,
                    .notWellFormed,
                    ["tag": "abort_message", "form": "abort_message('reason')"]
                )
            }
            markup = markup.part(markup.start + 1, markup.end - 1).trimmed
        }
        guard markup.start < markup.end else {
            return AbortMessageTag(offset: tag.offset, reason: nil)
        }
        return AbortMessageTag(offset: tag.offset, reason: try parser.context.output(markup))
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        var text = ""
        if let reason { text = renderer.plainText(try renderer.value(of: reason)) }
        throw text.isEmpty
            ? LiquidError(.aborted, .abortCalled)
            : LiquidError(.aborted, .verbatim, ["text": .text(text)])
    }
}
