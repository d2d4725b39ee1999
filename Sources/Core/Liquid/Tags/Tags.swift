/// The tags by name.
enum Tags {
    /// Parses a tag with its content; `nil` for a tag that renders nothing.
    typealias Parser =
        @Sendable (TagMarkup, inout TemplateParser) throws(LiquidError) -> (any TagNode)?

    static func parser(_ name: String, in dialect: Template.Dialect) -> Parser? {
        if let parser = standard[name] { return parser }
        return dialect == .messaging ? messaging[name] : nil
    }

    static func readsText(_ name: String) -> Bool {
        textTags.contains(name)
    }

    /// Tags whose markup is words of text with outputs.
    private static let textTags: Set<String> = [
        "connected_content", "message_extras", "catalog_items", "catalog_selection_items",
        "form_field_name",
    ]

    private static let standard: [String: Parser] = [
        "if": IfTag.parse,
        "unless": IfTag.parse,
        "case": CaseTag.parse,
        "for": ForTag.parse,
        "tablerow": TableRowTag.parse,
        "break": InterruptTag.parse,
        "continue": InterruptTag.parse,
        "cycle": CycleTag.parse,
        "assign": AssignTag.parse,
        "capture": CaptureTag.parse,
        "increment": CounterTag.parse,
        "decrement": CounterTag.parse,
        "echo": EchoTag.parse,
        "ifchanged": IfChangedTag.parse,
        "include": IncludeTag.parse,
        "render": RenderTag.parse,
        "raw": RawTag.parse,
        "comment": CommentTag.parse,
        "doc": DocTag.parse,
        "#": InlineCommentTag.parse,
    ]

    private static let messaging: [String: Parser] = [
        "abort_message": AbortMessageTag.parse,
        "catalog_items": CatalogItemsTag.parse,
        "catalog_selection_items": CatalogSelectionItemsTag.parse,
        "connected_content": ConnectedContentTag.parse,
        "form_field_name": FormFieldNameTag.parse,
        "message_extras": MessageExtrasTag.parse,
    ]
}

extension ParseContext {
    /// Parses a tag's markup as the mode requires: leniently, strictly, or strictly with a lenient
    /// fallback.
    func parse<Result>(
        _ markup: Markup,
        lax: () throws(LiquidError) -> Result,
        strict: () throws(LiquidError) -> Result,
        strict2: () throws(LiquidError) -> Result
    ) throws(LiquidError) -> Result {
        if mode == .lax { return try lax() }
        do throws(LiquidError) {
            return mode == .strict ? try strict() : try strict2()
        } catch {
            let error = error.quoting(markup.trimmed.text)
            guard mode == .warn else { throw error }
            warnings.append(error)
            return try lax()
        }
    }

    /// For tags that strict mode parses leniently.
    func parse<Result>(
        _ markup: Markup,
        lax: () throws(LiquidError) -> Result,
        strict2: () throws(LiquidError) -> Result
    ) throws(LiquidError) -> Result {
        try parse(markup, lax: lax, strict: lax, strict2: strict2)
    }
}
