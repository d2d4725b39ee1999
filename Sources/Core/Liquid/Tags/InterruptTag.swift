/// `{% break %}`, `{% continue %}`
final class InterruptTag: TagNode {
    let offset: Int
    let isBlank = false
    private let interrupt: Renderer.Interrupt

    private init(offset: Int, interrupt: Renderer.Interrupt) {
        self.offset = offset
        self.interrupt = interrupt
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        InterruptTag(offset: tag.offset, interrupt: tag.name == "break" ? .breaks : .continues)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        renderer.interrupt = interrupt
    }
}
