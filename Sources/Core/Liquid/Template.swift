import Reasons

/// A parsed template: made once, rendered for any number of users from any number of tasks.
package struct Template: Sendable {
    /// How much nonsense the parser lets pass.
    package enum Mode: String, Sendable {
        /// What makes no sense is skipped, as in storefront templates.
        case lax
        /// As `lax`; what was skipped is listed in `warnings`.
        case warn
        /// Outputs and conditions must be well formed.
        case strict
        /// Every tag must be well formed.
        case strict2
    }

    /// Which tags, filters and variable forms there are.
    package enum Dialect: String, Sendable {
        /// Shopify Liquid.
        case standard
        /// Shopify Liquid with `${attributes}`, Connected Content, `abort_message` and further
        /// filters.
        case messaging
    }

    let trees: TreePool
    /// The name errors carry; a loader gives one to each partial.
    package let name: String?
    package let mode: Mode
    package let dialect: Dialect
    /// What `warn` mode let pass.
    package let warnings: [LiquidError]
    /// Whether the template itself, partials aside, needs answers from outside: Connected Content
    /// or items of a catalog.
    package let asksQuestions: Bool
    /// The content blocks the template itself names.
    package let contentBlocks: [String]
    /// The users' attributes the template itself names, each once.
    package let attributes: [AttributeUse]
    /// The filters it names that there are none of; they leave their input as it is.
    package let unknownFilters: [String]
    /// The filters that messages may use.
    package static var filterNames: [String] { Filters.messaging.keys.sorted() }

    /// Parses `source`; throws a `LiquidError` with line and column when that cannot be done.
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
