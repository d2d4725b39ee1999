/// `{% ifchanged %} … {% endifchanged %}`: printed if it differs from the last output of the tag.
final class IfChangedTag: TagNode {
    let offset: Int
    let isBlank: Bool
    private let block: Block

    private init(offset: Int, block: Block) {
        self.offset = offset
        self.block = block
        isBlank = block.isBlank
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        var block = Block()
        if let next = try parser.part(of: tag, into: &block) {
            throw parser.stray(next, in: tag.name)
        }
        return IfChangedTag(offset: tag.offset, block: block)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let bytes = try renderer.capture { (renderer) throws(LiquidError) in
            try renderer.render(block)
        }
        try renderer.spend(bytes: bytes.count)
        guard bytes != renderer.scope.lastChange else { return }
        renderer.scope.lastChange = bytes
        renderer.output.append(contentsOf: bytes)
    }
}
