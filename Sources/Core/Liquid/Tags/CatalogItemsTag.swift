import Reasons

/// `{% catalog_items catalog id … %}`: stores the existing items of a catalog under `items`, in the
/// order of the ids.
final class CatalogItemsTag: TagNode {
    private static let name = LiquidName("items")

    let offset: Int
    let isBlank = true
    private let catalog: Interpolation
    private let ids: [Interpolation]

    private init(offset: Int, catalog: Interpolation, ids: [Interpolation]) {
        self.offset = offset
        self.catalog = catalog
        self.ids = ids
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let words = TagAttributes(tag.markup, parser.context)
        guard words.leading.count >= 2 else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                ["tag": "catalog_items", "form": "catalog_items [catalog] [id …]"]
            )
        }
        for name in words.optionNames {
            throw LiquidError(.syntax, .unknownOption, ["name": "\(name)", "tag": "catalog_items"])
        }
        var pieces: [Interpolation] = []
        for word in words.leading { pieces.append(try words.pieces(word)) }
        parser.context.asksQuestions = true
        return CatalogItemsTag(
            offset: tag.offset,
            catalog: pieces[0],
            ids: Array(pieces.dropFirst())
        )
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        var request = CatalogItemsRequest(catalog: try renderer.text(of: catalog), ids: [])
        for id in ids { request.ids.append(try renderer.text(of: id)) }
        guard case .catalogItems(let items) = try renderer.answer(to: .catalogItems(request)).answer
        else { throw LiquidError(.argument, .otherAnswer, ["tag": "catalog_items"]) }
        try renderer.allow(elements: items.count)
        try renderer.assign(Self.name, .array(items))
    }
}
