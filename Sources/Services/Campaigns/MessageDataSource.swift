import Liquid
import Model
import Ports
import Reasons

/// Answers the questions of a workspace's messages while they are rendered.
package struct MessageDataSource: LiquidDataSource {
    private let workspace: WorkspaceID
    private let catalogs: CatalogReader
    private let fetcher: any ContentFetcher

    package init(
        workspace: WorkspaceID,
        catalogs: CatalogReader,
        fetcher: any ContentFetcher
    ) {
        self.workspace = workspace
        self.catalogs = catalogs
        self.fetcher = fetcher
    }

    package func answer(_ question: LiquidDataRequest) async throws -> LiquidDataResponse {
        switch question {
        case .connectedContent(let request):
            return .connectedContent(try await fetcher.fetch(request, for: workspace))
        case .catalogItems(let request):
            guard
                let items = try await catalogs.items(
                    request.ids,
                    of: request.catalog,
                    in: workspace
                )
            else {
                throw LiquidError(
                    .argument,
                    Reason(MessageReason.noCatalog, ["name": .text(request.catalog)])
                )
            }
            return .catalogItems(items.map(LiquidValue.init))
        case .catalogSelection(let request):
            guard
                let items = try await catalogs.items(
                    ofSelection: request.selection,
                    of: request.catalog,
                    in: workspace
                )
            else {
                throw LiquidError(
                    .argument,
                    Reason(
                        MessageReason.noSelection,
                        ["name": .text(request.selection), "catalog": .text(request.catalog)]
                    )
                )
            }
            return .catalogItems(items.map(LiquidValue.init))
        }
    }
}

extension LiquidValue {
    fileprivate init(_ item: CatalogItem) {
        var pairs = [(name: LiquidName("id"), value: LiquidValue.string(item.id))]
        for (name, value) in item.values.ordered(by: { $0.key }) {
            pairs.append((LiquidName(name), LiquidValue(json: value)))
        }
        self = .object(LiquidObject(pairs))
    }
}
