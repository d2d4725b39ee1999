/// `{% echo value | filter %}`
final class EchoTag: TagNode {
    let offset: Int
    let isBlank = false
    private let value: Output

    private init(offset: Int, value: Output) {
        self.offset = offset
        self.value = value
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        EchoTag(offset: tag.offset, value: try parser.context.output(tag.markup))
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        try renderer.write(value)
    }
}
