import Reasons

/// `{% capture name %} … {% endcapture %}`
final class CaptureTag: TagNode {
    let offset: Int
    let isBlank = true
    private let name: LiquidName
    private let block: Block

    private init(offset: Int, name: LiquidName, block: Block) {
        self.offset = offset
        self.name = name
        self.block = block
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let context = parser.context
        let name = try context.parse(tag.markup) { () throws(LiquidError) in
            var start = tag.markup.start
            while start < tag.markup.end, AssignTag.signatureEnd(tag.markup, start) == start {
                start += 1
            }
            guard start < tag.markup.end else {
                throw LiquidError(
                    .syntax,
                    .notWellFormed,
                    ["tag": "capture", "form": "capture [var]"]
                )
            }
            return tag.markup.text(start, AssignTag.signatureEnd(tag.markup, start))
        } strict2: { () throws(LiquidError) in
            try AssignTag.identifier(tag.markup, context)
        }
        var block = Block()
        if let next = try parser.part(of: tag, into: &block) {
            throw parser.stray(next, in: tag.name)
        }
        return CaptureTag(offset: tag.offset, name: LiquidName(name), block: block)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let bytes = try renderer.capture { (renderer) throws(LiquidError) in
            try renderer.render(block)
        }
        try renderer.assign(name, .string(String(decoding: bytes, as: UTF8.self)))
    }
}
