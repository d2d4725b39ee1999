import Reasons

/// A parsed template: created once, rendered for any number of users from any number of tasks.
package struct Template: Sendable {
    /// How much invalid syntax the parser accepts.
    package enum Mode: String, Sendable {
        /// Invalid parts are skipped, as in storefront templates.
        case lax
        /// Like `lax`; skipped parts are listed in `warnings`.
        case warn
        /// Outputs and conditions must be well formed.
        case strict
        /// Every tag must be well formed.
        case strict2
    }

    /// The set of available tags, filters and variable forms.
    package enum Dialect: String, Sendable {
        /// Shopify Liquid.
        case standard
        /// Shopify Liquid with `${attributes}`, Connected Content, `abort_message` and additional
        /// filters.
        case messaging
    }

    let trees: TreePool
    /// The name in error messages; a loader assigns one to each partial.
    package let name: String?
    package let mode: Mode
    package let dialect: Dialect
    /// The errors that `warn` mode accepted.
    package let warnings: [LiquidError]
    /// Whether the template itself, without its partials, needs external data: Connected Content or
    /// items of a catalog.
    package let asksQuestions: Bool
    /// The content blocks that the template itself names.
    package let contentBlocks: [String]
    /// The users' attributes that the template itself names, each once.
    package let attributes: [AttributeUse]
    /// The unknown filters that the template names; they leave their input unchanged.
    package let unknownFilters: [String]
    /// The filters that messages may use.
    package static var filterNames: [String] { Filters.messaging.keys.sorted() }

    /// Parses `source`; throws a `LiquidError` with line and column if it is invalid.
    package init(
        parsing source: String,
        name: String? = nil,
        mode: Mode = .lax,
        dialect: Dialect = .messaging,
        limits: LiquidLimits = LiquidLimits()
    ) throws(LiquidError) {
        try self.init(
            parsing: Array(source.utf8),
            name: name,
            mode: mode,
            dialect: dialect,
            limits: limits
        )
    }

    /// Parses UTF-8 text. Bytes that are not UTF-8 are a syntax error.
    package init(
        parsing source: [UInt8],
        name: String? = nil,
        mode: Mode = .lax,
        dialect: Dialect = .messaging,
        limits: LiquidLimits = LiquidLimits()
    ) throws(LiquidError) {
        guard source.count <= limits.sourceBytes else {
            throw LiquidError(
                .limit,
                .templateSize,
                ["size": "\(source.count)", "limit": "\(limits.sourceBytes)"]
            )
        }
        guard UTF8Text.isValid(source) else {
            throw LiquidError(.syntax, .encoding)
        }
        let context = ParseContext(
            mode: mode,
            dialect: dialect,
            limits: limits,
            bytes: source.count
        )
        let printed: [AttributeUse]
        do {
            let tree = try TemplateTree(source, context)
            printed = tree.printedAttributes
            trees = TreePool(tree, mode: mode, dialect: dialect, limits: limits)
        } catch {
            throw error.named(name)
        }
        self.name = name
        self.mode = mode
        self.dialect = dialect
        warnings = context.warnings
        asksQuestions = context.asksQuestions
        contentBlocks = context.contentBlocks
        attributes = context.attributes.map { use in
            var use = use
            use.needsDefault = printed.contains(where: use.isSame)
            return use
        }
        unknownFilters = context.unknownFilters
    }
}

extension LiquidError {
    func named(_ name: String?) -> LiquidError {
        guard let name, templateName == nil else { return self }
        var error = self
        error.templateName = name
        return error
    }
}
