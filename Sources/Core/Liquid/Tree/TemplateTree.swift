/// The parsed form of a template's source.
final class TemplateTree: Sendable {
    /// As UTF-8: text is written straight from it.
    let source: [UInt8]
    let body: Block

    init(_ source: [UInt8], _ context: ParseContext) throws(LiquidError) {
        var parser = TemplateParser(source, context)
        body = try parser.document()
        self.source = source
    }
}
