import Content
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Reads and writes selections of catalogs.
enum CatalogSelectionReader {
    /// The selection of a request's `selection`.
    static func selection(_ request: RequestReader) throws -> CatalogSelection {
        guard let value = request.value("selection") else {
            throw request.problem("selection", .required)
        }
        let reader = try RequestReader(value, path: "selection")
        let filters = try reader.objects("filters", limit: Int.max).map(filter)
        return CatalogSelection(
            name: try reader.requiredString("name"),
            description: try reader.plainText("description", 0...CatalogValidator.descriptionLimit)
                ?? "",
            externalID: try reader.plainText("external_id", 1...CatalogValidator.nameLimit),
            source: try reader.plainText("source", 1...CatalogValidator.nameLimit),
            filters: filters,
            order: try order(reader),
            limit: try reader.wholeNumber("results_limit", Int.min...Int.max)
                ?? CatalogValidator.resultLimit
        )
    }

    private static func filter(_ reader: RequestReader) throws -> CatalogSelection.Filter {
        let field = try reader.requiredString("field")
        let name = try reader.requiredString("operator")
        guard let comparison = CatalogSelection.Comparison(rawValue: name) else {
            let names = CatalogSelection.Comparison.allCases.map { "'\($0.rawValue)'" }
            throw CatalogError(
                .invalid,
                .selectionHasInvalidFilter,
                .filterOperator,
                ["known": .text(names.joined(separator: ", "))],
                at: CatalogError.Parameter("field", .string(field)),
                CatalogError.Parameter("operator", .string(name))
            )
        }
        guard let value = reader.value("value") else {
            throw reader.problem("value", .required)
        }
        guard CatalogValidator.isPlain(value) else {
            throw reader.problem("value", .valueNotKept)
        }
        return CatalogSelection.Filter(field: field, comparison: comparison, value: value)
    }

    /// Both of `sort_field` and `sort_order`, or neither.
    private static func order(_ reader: RequestReader) throws -> CatalogSelection.Order? {
        let field = try reader.string("sort_field")
        let direction = try reader.string("sort_order")
        switch (field, direction) {
        case (nil, nil): return nil
        case (let field?, "asc"): return CatalogSelection.Order(field: field, isDescending: false)
        case (let field?, "desc"): return CatalogSelection.Order(field: field, isDescending: true)
        case (_?, let direction?):
            throw CatalogError(
                .invalid,
                .invalidSortOrder,
                .sortOrder,
                at: CatalogError.Parameter("sort_order", .string(direction))
            )
        default:
            throw CatalogError(
                .invalid,
                .invalidSorting,
                .sortPair,
                at: CatalogError.Parameter("sort_field", field.map(JSONValue.string) ?? .null),
                CatalogError.Parameter("sort_order", direction.map(JSONValue.string) ?? .null)
            )
        }
    }

    static func json(_ selection: CatalogSelection) -> JSONValue {
        [
            "name": .string(selection.name), "description": .string(selection.description),
            "external_id": selection.externalID.map(JSONValue.string) ?? .null,
            "source": selection.source.map(JSONValue.string) ?? .null,
            "filters": .array(
                selection.filters.map {
                    [
                        "field": .string($0.field), "operator": .string($0.comparison.rawValue),
                        "value": $0.value,
                    ]
                }
            ),
            "results_limit": .integer(Int64(selection.limit)),
            "sort_field": (selection.order?.field).map(JSONValue.string) ?? .null,
            "sort_order": (selection.order?.isDescending).map { $0 ? "desc" : "asc" } ?? .null,
        ]
    }
}
