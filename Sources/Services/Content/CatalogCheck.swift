import Foundation
import Model
import NoroshiWire
import Reasons

/// Validates catalogs and their contents; errors also have a code for programs.
package enum CatalogCheck {
    private typealias Refusal = CatalogRefusal

    /// Validates a catalog with all its fields and selections.
    package static func whole(_ catalog: Catalog) throws(CatalogRefusal) {
        try self.catalog(named: catalog.name, description: catalog.description)
        try fields(ofNewCatalog: catalog.fields)
        for selection in catalog.selections { try self.selection(selection, of: catalog) }
        guard catalog.selections.count <= CatalogValidator.selectionLimit else {
            throw Refusal(
                .invalid,
                .selectionLimitReached,
                .selectionCount,
                ["count": "\(CatalogValidator.selectionLimit)"]
            )
        }
    }

    static func catalog(named name: String, description: String) throws(CatalogRefusal) {
        if let problem = CatalogValidator.problem(name: name) {
            throw Refusal(
                .invalid,
                name.count > CatalogValidator.nameLimit
                    ? .catalogNameTooLarge : .invalidCatalogName,
                .catalogName,
                ["reason": .reason(problem)],
                at: Refusal.Parameter("name", .string(name))
            )
        }
        try check(description)
    }

    /// - Throws: `CatalogRefusal` for an invalid description of a catalog or a selection.
    private static func check(_ description: String) throws(CatalogRefusal) {
        guard description.count <= CatalogValidator.descriptionLimit else {
            throw Refusal(
                .invalid,
                .descriptionTooLong,
                .description,
                ["count": "\(CatalogValidator.descriptionLimit)"],
                at: Refusal.Parameter("description", .string(String(description.prefix(40))))
            )
        }
    }

    // MARK: Fields

    static func fields(ofNewCatalog fields: [Catalog.Field]) throws(CatalogRefusal) {
        guard fields.first == Catalog.Field(name: "id", type: .string) else {
            throw Refusal(
                .invalid,
                .idNotFirstColumn,
                .idsFirst,
                at: Refusal.Parameter("fields", .string(fields.first?.name ?? ""))
            )
        }
        guard fields.count <= CatalogValidator.fieldLimit else {
            throw Refusal(
                .invalid,
                .tooManyFields,
                .fieldCount,
                ["count": "\(CatalogValidator.fieldLimit)"],
                at: Refusal.Parameter("fields", .integer(Int64(fields.count)))
            )
        }
        try check(fields)
    }

    static func fields(added fields: [Catalog.Field]) throws(CatalogRefusal) {
        guard !fields.isEmpty else {
            throw Refusal(
                .invalid,
                .invalidFields,
                .fieldsToAdd,
                at: Refusal.Parameter("fields", [])
            )
        }
        guard fields.count <= CatalogValidator.addedFieldLimit else {
            throw Refusal(
                .invalid,
                .requestIncludesTooManyFields,
                .addedFields,
                ["count": "\(CatalogValidator.addedFieldLimit)"],
                at: Refusal.Parameter("fields", .integer(Int64(fields.count)))
            )
        }
        try check(fields)
    }

    private static func check(_ fields: [Catalog.Field]) throws(CatalogRefusal) {
        var names: Set<String> = []
        for field in fields {
            let parameter = Refusal.Parameter("name", .string(field.name))
            if let problem = CatalogValidator.problem(name: field.name) {
                throw Refusal(
                    .invalid,
                    field.name.count > CatalogValidator.nameLimit
                        ? .fieldNamesTooLarge : .invalidFieldNames,
                    .fieldName,
                    ["reason": .reason(problem)],
                    at: parameter
                )
            }
            guard names.insert(field.name).inserted else {
                throw Refusal(
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
            let parameter = Refusal.Parameter("id", .string(item.id))
            if let problem = CatalogValidator.problem(name: item.id) {
                throw Refusal(
                    .invalid,
                    item.id.count > CatalogValidator.nameLimit ? .idsTooLarge : .invalidIDs,
                    .itemID,
                    ["reason": .reason(problem)],
                    at: parameter
                )
            }
            guard ids.insert(item.id).inserted else {
                throw Refusal(
                    .invalid,
                    .idsNotUnique,
                    .itemTwice,
                    ["item": .text(item.id)],
                    at: parameter
                )
            }
            for (name, value) in item.values.sorted(by: { $0.key < $1.key }) {
                guard let field = kinds[name], name != "id" else {
                    throw Refusal(
                        .invalid,
                        .invalidFields,
                        .noField,
                        ["name": .text(name), "catalog": .text(catalog.name)],
                        at: parameter,
                        Refusal.Parameter("field", .string(name))
                    )
                }
                if let problem = CatalogValidator.problem(value: value, of: field) {
                    throw Refusal(
                        .invalid,
                        .unableToCoerceValue,
                        .itemValue,
                        ["name": .text(name), "item": .text(item.id), "reason": .reason(problem)],
                        at: parameter,
                        Refusal.Parameter("field", .string(name))
                    )
                }
            }
            guard try JSONEncoder().encode(item.values).count <= CatalogValidator.itemBytes else {
                throw Refusal(
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
    ) throws(CatalogRefusal) {
        if let problem = CatalogValidator.problem(name: selection.name) {
            throw Refusal(
                .invalid,
                .invalidSelection,
                .selectionName,
                ["reason": .reason(problem)],
                at: Refusal.Parameter("name", .string(selection.name))
            )
        }
        try check(selection.description)
        guard (1...CatalogValidator.resultLimit).contains(selection.limit) else {
            throw Refusal(
                .invalid,
                .selectionInvalidResultsLimit,
                .resultLimit,
                ["count": "\(CatalogValidator.resultLimit)"],
                at: Refusal.Parameter("results_limit", .integer(Int64(selection.limit)))
            )
        }
        guard selection.filters.count <= CatalogValidator.filterLimit else {
            throw Refusal(
                .invalid,
                .tooManyFilters,
                .filterCount,
                ["count": "\(CatalogValidator.filterLimit)"],
                at: Refusal.Parameter("filters", .integer(Int64(selection.filters.count)))
            )
        }
        let kinds = Dictionary(
            catalog.fields.map { ($0.name, $0.type) },
            uniquingKeysWith: { first, _ in first }
        )
        for filter in selection.filters {
            if let problem = problem(filter, kinds[filter.field]) {
                throw Refusal(
                    .invalid,
                    .selectionHasInvalidFilter,
                    .filter,
                    ["name": .text(filter.field), "reason": .reason(problem)],
                    at: Refusal.Parameter("field", .string(filter.field)),
                    Refusal.Parameter("operator", .string(filter.comparison.rawValue))
                )
            }
        }
        let arrays = Set(selection.filters.map(\.field).filter { kinds[$0] == .array })
        guard arrays.count <= 1 else {
            throw Refusal(
                .invalid,
                .selectionContainsTooManyArrays,
                Reason(
                    CatalogReason.arrayFilters,
                    ["names": .text(arrays.sorted().joined(separator: " and "))]
                ),
                at: arrays.sorted().map { Refusal.Parameter("field", .string($0)) }
            )
        }
        if let order = selection.order {
            let sortable: Set<Catalog.Field.Kind> = [.string, .number, .boolean, .time]
            guard let kind = kinds[order.field], sortable.contains(kind) else {
                throw Refusal(
                    .invalid,
                    .invalidSortField,
                    .sortField,
                    at: Refusal.Parameter("sort_field", .string(order.field))
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
