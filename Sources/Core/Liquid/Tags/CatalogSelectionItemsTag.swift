import Reasons

/// `{% catalog_selection_items catalog selection %}`: stores the items of a catalog's selection
/// under `items`.
final class CatalogSelectionItemsTag: TagNode {
    private static let name = LiquidName("items")

    let offset: Int
    let isBlank = true
    private let catalog: Interpolation
    private let selection: Interpolation

    private init(offset: Int, catalog: Interpolation, selection: Interpolation) {
        self.offset = offset
        self.catalog = catalog
        self.selection = selection
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let words = TagAttributes(tag.markup, parser.context)
        guard words.leading.count == 2 else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                [
                    "tag": "catalog_selection_items",
                    "form": "catalog_selection_items [catalog] [selection]",
                ]
            )
        }
        for name in words.optionNames {
            throw LiquidError(
                .syntax,
                .unknownOption,
                ["name": "\(name)", "tag": "catalog_selection_items"]
            )
        }
        parser.context.asksQuestions = true
        return CatalogSelectionItemsTag(
            offset: tag.offset,
            catalog: try words.pieces(words.leading[0]),
            selection: try words.pieces(words.leading[1])
        )
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let request = CatalogSelectionRequest(
            catalog: try renderer.text(of: catalog),
            selection: try renderer.text(of: selection)
        )
        guard
            case .catalogItems(let items) = try renderer.answer(to: .catalogSelection(request))
                .answer
        else { throw LiquidError(.argument, .otherAnswer, ["tag": "catalog_selection_items"]) }
        try renderer.allow(elements: items.count)
        try renderer.assign(Self.name, .array(items))
    }
}
