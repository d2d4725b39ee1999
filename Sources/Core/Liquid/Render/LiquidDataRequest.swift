import Reasons

/// External data that a render needs before it can continue.
package enum LiquidDataRequest: Sendable, Hashable {
    case connectedContent(ConnectedContentRequest)
    case catalogItems(CatalogItemsRequest)
    case catalogSelection(CatalogSelectionRequest)

    /// The error if no answerer is available.
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

/// The answer to a question; for items of a catalog, by id or by selection, the items.
package enum LiquidDataResponse: Sendable {
    case connectedContent(ConnectedContentResponse)
    /// The existing items, in the requested order.
    case catalogItems([LiquidValue])
}

/// Answers the questions of templates. It enforces limits on time, size and addresses, and caches
/// Connected Content.
package protocol LiquidDataSource: Sendable {
    /// Answers a question. An error ends the render, so that it can be retried later.
    func answer(_ question: LiquidDataRequest) async throws -> LiquidDataResponse
}

/// An answer, prepared for the renders that use it.
struct ReadyAnswer: Sendable {
    let answer: LiquidDataResponse
    /// The JSON of a Connected Content response, parsed once for all renders; `nil` if it is not
    /// JSON.
    let json: LiquidValue?

    init(_ answer: LiquidDataResponse, depth: Int) {
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
    /// Returns the answer to a tag's question; if it is missing, rendering stops to wait for it.
    mutating func answer(to question: LiquidDataRequest) throws(LiquidError) -> ReadyAnswer {
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
