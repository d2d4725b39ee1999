/// What a render must learn from elsewhere before it can go on.
package enum LiquidQuestion: Sendable, Hashable {
    case connectedContent(ConnectedContentRequest)
    case catalogItems(CatalogItemsRequest)
}

/// The items a template asks for with `catalog_items`.
package struct CatalogItemsRequest: Sendable, Hashable {
    package var catalog: String
    package var ids: [String]

    package init(catalog: String, ids: [String]) {
        self.catalog = catalog
        self.ids = ids
    }
}

/// The answer to a question of the same kind.
package enum LiquidAnswer: Sendable {
    case connectedContent(ConnectedContentResponse)
    /// The items that exist, in the order they were asked for.
    case catalogItems([LiquidValue])
}

/// Answers what templates ask. Limits on time, size and addresses, and the cache of Connected
/// Content, are its work.
package protocol LiquidAnswerer: Sendable {
    /// Answers a question. What throws ends the render, so that it can be tried again later.
    func answer(_ question: LiquidQuestion) async throws -> LiquidAnswer
}

extension Renderer {
    /// The answer to a tag's question; where it is not there yet, rendering stops to wait for it.
    mutating func answer(to question: LiquidQuestion) throws(LiquidError) -> LiquidAnswer {
        guard answered < answers.count else {
            guard answered < options.limits.fetches else {
                throw LiquidError(.limit, "Too many calls to the outside")
            }
            pending = question
            throw LiquidError(.suspended, "Nothing from outside is available here")
        }
        answered += 1
        return answers[answered - 1]
    }
}
