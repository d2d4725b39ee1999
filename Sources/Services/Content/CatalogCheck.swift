import Foundation
import Model
import NoroshiWire
import Reasons

/// Validates catalogs and their contents; errors also have a code for programs.
package enum CatalogCheck {
    /// Validates a catalog with all its fields and selections.
    package static func whole(_ catalog: Catalog) throws(CatalogError) {
        try self.catalog(named: catalog.name, description: catalog.description)
        try fields(ofNewCatalog: catalog.fields)
        for selection in catalog.selections { try self.selection(selection, of: catalog) }
        guard catalog.selections.count <= CatalogValidator.selectionLimit else {
            throw CatalogError(
                .invalid,
                .selectionLimitReached,
                .selectionCount,
                ["count": "\(CatalogValidator.selectionLimit)"]
            )
        }
    }

    static func catalog(named name: String, description: String) throws(CatalogError) {
        if let problem = CatalogValidator.problem(name: name) {
            throw CatalogError(
                .invalid,
                name.count > CatalogValidator.nameLimit
                    ? .catalogNameTooLarge : .invalidCatalogName,
                .catalogName,
                ["reason": .reason(problem)],
                at: CatalogError.Parameter("name", .string(name))
            )
        }
        try check(description)
    }

    /// - Throws: `CatalogError` for an invalid description of a catalog or a selection.
    private static func check(_ description: String) throws(CatalogError) {
        guard description.count <= CatalogValidator.descriptionLimit else {
            throw CatalogError(
                .invalid,
                .descriptionTooLong,
                .description,
                ["count": "\(CatalogValidator.descriptionLimit)"],
                at: CatalogError.Parameter("description", .string(String(description.prefix(40))))
            )
        }
    }

    // MARK: Fields

    static func fields(ofNewCatalog fields: [Catalog.Field]) throws(CatalogError) {
        guard fields.first == Catalog.Field(name: "id", type: .string) else {
            throw CatalogError(
                .invalid,
                .idNotFirstColumn,
                .idsFirst,
                at: CatalogError.Parameter("fields", .string(fields.first?.name ?? ""))
            )
        }
        guard fields.count <= CatalogValidator.fieldLimit else {
            throw CatalogError(
                .invalid,
                .tooManyFields,
                .fieldCount,
                ["count": "\(CatalogValidator.fieldLimit)"],
                at: CatalogError.Parameter("fields", .integer(Int64(fields.count)))
            )
        }
        try check(fields)
    }

    static func fields(added fields: [Catalog.Field]) throws(CatalogError) {
        guard !fields.isEmpty else {
            throw CatalogError(
                .invalid,
                .invalidFields,
                .fieldsToAdd,
                at: CatalogError.Parameter("fields", [])
            )
        }
        guard fields.count <= CatalogValidator.addedFieldLimit else {
            throw CatalogError(
                .invalid,
                .requestIncludesTooManyFields,
                .addedFields,
                ["count": "\(CatalogValidator.addedFieldLimit)"],
                at: CatalogError.Parameter("fields", .integer(Int64(fields.count)))
            )
        }
        try check(fields)
    }

    private static func check(_ fields: [Catalog.Field]) throws(CatalogError) {
        var names: Set<String> = []
        for field in fields {
            let parameter = CatalogError.Parameter("name", .string(field.name))
            if let problem = CatalogValidator.problem(name: field.name) {
                throw CatalogError(
                    .invalid,
                    field.name.count > CatalogValidator.nameLimit
                        ? .fieldNamesTooLarge : .invalidFieldNames,
                    .fieldName,
                    ["reason": .reason(problem)],
                    at: parameter
                )
            }
            guard names.insert(field.name).inserted else {
                throw CatalogError(
                    .invalid,
                    .fieldNamesNotUnique,
                    .fieldTwice,
                    ["name": .text(field.name)],
                    at: parameter
                )
            }
        }
    }

    // MARK: Items

    package static func items(_ items: [CatalogItem], of catalog: Catalog) throws {
        let kinds = Dictionary(
            catalog.fields.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var ids: Set<String> = []
        for item in items {
            let parameter = CatalogError.Parameter("id", .string(item.id))
            if let problem = CatalogValidator.problem(name: item.id) {
                throw CatalogError(
                    .invalid,
                    item.id.count > CatalogValidator.nameLimit ? .idsTooLarge : .invalidIDs,
                    .itemID,
                    ["reason": .reason(problem)],
                    at: parameter
                )
            }
            guard ids.insert(item.id).inserted else {
                throw CatalogError(
                    .invalid,
                    .idsNotUnique,
                    .itemTwice,
                    ["item": .text(item.id)],
                    at: parameter
                )
            }
            for (name, value) in item.values.sorted(by: { $0.key < $1.key }) {
                guard let field = kinds[name], name != "id" else {
                    throw CatalogError(
                        .invalid,
                        .invalidFields,
                        .noField,
                        ["name": .text(name), "catalog": .text(catalog.name)],
                        at: parameter,
                        CatalogError.Parameter("field", .string(name))
                    )
                }
                if let problem = CatalogValidator.problem(value: value, of: field) {
                    throw CatalogError(
                        .invalid,
                        .unableToCoerceValue,
                        .itemValue,
                        ["name": .text(name), "item": .text(item.id), "reason": .reason(problem)],
                        at: parameter,
                        CatalogError.Parameter("field", .string(name))
                    )
                }
            }
            guard try JSONEncoder().encode(item.values).count <= CatalogValidator.itemBytes else {
                throw CatalogError(
                    .invalid,
                    .itemsTooLarge,
                    .itemSize,
                    ["item": .text(item.id), "count": "\(CatalogValidator.itemBytes)"],
                    at: parameter
                )
            }
        }
    }

    // MARK: Selections

    static func selection(
        _ selection: CatalogSelection,
        of catalog: Catalog
    ) throws(CatalogError) {
        if let problem = CatalogValidator.problem(name: selection.name) {
            throw CatalogError(
                .invalid,
                .invalidSelection,
                .selectionName,
                ["reason": .reason(problem)],
                at: CatalogError.Parameter("name", .string(selection.name))
            )
        }
        try check(selection.description)
        guard (1...CatalogValidator.resultLimit).contains(selection.limit) else {
            throw CatalogError(
                .invalid,
                .selectionInvalidResultsLimit,
                .resultLimit,
                ["count": "\(CatalogValidator.resultLimit)"],
                at: CatalogError.Parameter("results_limit", .integer(Int64(selection.limit)))
            )
        }
        guard selection.filters.count <= CatalogValidator.filterLimit else {
            throw CatalogError(
                .invalid,
                .tooManyFilters,
                .filterCount,
                ["count": "\(CatalogValidator.filterLimit)"],
                at: CatalogError.Parameter("filters", .integer(Int64(selection.filters.count)))
            )
        }
        let kinds = Dictionary(
            catalog.fields.map { ($0.name, $0.type) },
            uniquingKeysWith: { first, _ in first }
        )
        for filter in selection.filters {
            if let problem = problem(filter, kinds[filter.field]) {
                throw CatalogError(
                    .invalid,
                    .selectionHasInvalidFilter,
                    .filter,
                    ["name": .text(filter.field), "reason": .reason(problem)],
                    at: CatalogError.Parameter("field", .string(filter.field)),
                    CatalogError.Parameter("operator", .string(filter.comparison.rawValue))
                )
            }
        }
        let arrays = Set(selection.filters.map(\.field).filter { kinds[$0] == .array })
        guard arrays.count <= 1 else {
            throw CatalogError(
                .invalid,
                .selectionContainsTooManyArrays,
                Reason(
                    CatalogReason.arrayFilters,
                    ["names": .text(arrays.sorted().joined(separator: " and "))]
                ),
                at: arrays.sorted().map { CatalogError.Parameter("field", .string($0)) }
            )
        }
        if let order = selection.order {
            let sortable: Set<Catalog.Field.Kind> = [.string, .number, .boolean, .time]
            guard let kind = kinds[order.field], sortable.contains(kind) else {
                throw CatalogError(
                    .invalid,
                    .invalidSortField,
                    .sortField,
                    at: CatalogError.Parameter("sort_field", .string(order.field))
                )
            }
        }
    }

    /// The error of a filter, given the type of its field.
    private static func problem(
        _ filter: CatalogSelection.Filter,
        _ kind: Catalog.Field.Kind?
    ) -> Reason? {
        guard let kind else { return Reason(CatalogReason.filterNoField) }
        let comparisons = comparisons(of: kind)
        guard comparisons.contains(filter.comparison) else {
            guard !comparisons.isEmpty else {
                return Reason(CatalogReason.filterImpossible, ["type": .text(kind.rawValue)])
            }
            let names = comparisons.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return Reason(CatalogReason.filterOperators, ["known": .text(names)])
        }
        let fits =
            switch (kind, filter.value) {
            case (.string, .string(let text)): text.count <= CatalogValidator.filterTextLimit
            case (.number, .integer), (.number, .number), (.boolean, .bool): true
            case (.time, .string(let text)): Timestamp.parse(text) != nil
            case (.array, .string(let text)): text.count <= CatalogValidator.filterTextLimit
            case (.array, .integer), (.array, .number), (.array, .bool): true
            default: false
            }
        guard fits else {
            return Reason(CatalogReason.filterValue, ["type": .text(kind.rawValue)])
        }
        if case .string(let text) = filter.value, text.contains("{{") || text.contains("{%") {
            return Reason(CatalogReason.filterTemplate)
        }
        return nil
    }

    private static func comparisons(
        of kind: Catalog.Field.Kind
    ) -> [CatalogSelection.Comparison] {
        switch kind {
        case .string: [.equals, .differs]
        case .number: [.equals, .differs, .isMore, .isLess]
        case .boolean: [.agrees]
        case .time: [.isBefore, .isAfter]
        case .array: [.includes, .excludes]
        case .object: []
        }
    }
}
