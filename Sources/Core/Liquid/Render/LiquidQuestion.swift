import Reasons

/// What a render must learn from elsewhere before it can go on.
package enum LiquidQuestion: Sendable, Hashable {
    case connectedContent(ConnectedContentRequest)
    case catalogItems(CatalogItemsRequest)
    case catalogSelection(CatalogSelectionRequest)

    /// The error where nobody answers.
    package var unanswered: LiquidError {
        switch self {
        case .connectedContent(let request):
            LiquidError(.suspended, .contentNotHere, ["address": "\(request.url)"])
        case .catalogItems(let request):
            LiquidError(.suspended, .catalogsNotHere, ["name": "\(request.catalog)"])
        case .catalogSelection(let request):
            LiquidError(.suspended, .catalogsNotHere, ["name": "\(request.catalog)"])
        }
    }
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

/// The items a template asks for with `catalog_selection_items`.
package struct CatalogSelectionRequest: Sendable, Hashable {
    package var catalog: String
    package var selection: String

    package init(catalog: String, selection: String) {
        self.catalog = catalog
        self.selection = selection
    }
}

/// The answer to a question: to one for items of a catalog, by id or by selection, the items.
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

/// An answer as the renders after it use it.
struct ReadyAnswer: Sendable {
    let answer: LiquidAnswer
    /// A Connected Content answer's JSON, read once for all of them; `nil` when it is none.
    let json: LiquidValue?

    init(_ answer: LiquidAnswer, depth: Int) {
        self.answer = answer
        guard case .connectedContent(let response) = answer,
            (200..<300).contains(response.status)
        else {
            json = nil
            return
        }
        json = try? LiquidJSON.parse(response.body, depth: depth)
    }
}

extension Renderer {
    /// The answer to a tag's question; where it is not there yet, rendering stops to wait for it.
    mutating func answer(to question: LiquidQuestion) throws(LiquidError) -> ReadyAnswer {
        guard answered < answers.count else {
            guard answered < options.limits.fetches else {
                throw LiquidError(.limit, .callsLimit)
            }
            pending = question
            throw LiquidError(.suspended, .nothingOutside)
        }
        answered += 1
        return answers[answered - 1]
    }
}
