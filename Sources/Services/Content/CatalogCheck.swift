import Foundation
import Model
import NoroshiWire

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
                "a catalog has at most \(CatalogValidator.selectionLimit) selections"
            )
        }
    }

    static func catalog(named name: String, description: String) throws(CatalogRefusal) {
        if let problem = CatalogValidator.problem(name: name) {
            throw Refusal(
                .invalid,
                name.count > CatalogValidator.nameLimit
                    ? .catalogNameTooLarge : .invalidCatalogName,
                "the name of a catalog \(problem)",
                Refusal.Parameter("name", .string(name))
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
                "a description has at most \(CatalogValidator.descriptionLimit) characters",
                Refusal.Parameter("description", .string(String(description.prefix(40))))
            )
        }
    }

    // MARK: Fields

    static func fields(ofNewCatalog fields: [Catalog.Field]) throws(CatalogRefusal) {
        guard fields.first == Catalog.Field(name: "id", type: .string) else {
            throw Refusal(
                .invalid,
                .idNotFirstColumn,
                "the fields begin with 'id' of type 'string'",
                Refusal.Parameter("fields", .string(fields.first?.name ?? ""))
            )
        }
        guard fields.count <= CatalogValidator.fieldLimit else {
            throw Refusal(
                .invalid,
                .tooManyFields,
                "a catalog has at most \(CatalogValidator.fieldLimit) fields",
                Refusal.Parameter("fields", .integer(Int64(fields.count)))
            )
        }
        try check(fields)
    }

    static func fields(added fields: [Catalog.Field]) throws(CatalogRefusal) {
        guard !fields.isEmpty else {
            throw Refusal(
                .invalid,
                .invalidFields,
                "'fields' holds the fields to add",
                Refusal.Parameter("fields", [])
            )
        }
        guard fields.count <= CatalogValidator.addedFieldLimit else {
            throw Refusal(
                .invalid,
                .requestIncludesTooManyFields,
                "at most \(CatalogValidator.addedFieldLimit) fields are added at once",
                Refusal.Parameter("fields", .integer(Int64(fields.count)))
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
                    "the name of a field \(problem)",
                    parameter
                )
            }
            guard names.insert(field.name).inserted else {
                throw Refusal(
                    .invalid,
                    .fieldNamesNotUnique,
                    "the field '\(field.name)' is there more than once",
                    parameter
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
                    "the id of an item \(problem)",
                    parameter
                )
            }
            guard ids.insert(item.id).inserted else {
                throw Refusal(
                    .invalid,
                    .idsNotUnique,
                    "the item '\(item.id)' is there more than once",
                    parameter
                )
            }
            for (name, value) in item.values.sorted(by: { $0.key < $1.key }) {
                guard let field = kinds[name], name != "id" else {
                    throw Refusal(
                        .invalid,
                        .invalidFields,
                        "'\(name)' is no field of '\(catalog.name)'",
                        parameter,
                        Refusal.Parameter("field", .string(name))
                    )
                }
                if let problem = CatalogValidator.problem(value: value, of: field) {
                    throw Refusal(
                        .invalid,
                        .unableToCoerceValue,
                        "'\(name)' of the item '\(item.id)' \(problem)",
                        parameter,
                        Refusal.Parameter("field", .string(name))
                    )
                }
            }
            guard try JSONEncoder().encode(item.values).count <= CatalogValidator.itemBytes else {
                throw Refusal(
                    .invalid,
                    .itemsTooLarge,
                    "the item '\(item.id)' is larger than \(CatalogValidator.itemBytes) bytes",
                    parameter
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
                "the name of a selection \(problem)",
                Refusal.Parameter("name", .string(selection.name))
            )
        }
        try check(selection.description)
        guard (1...CatalogValidator.resultLimit).contains(selection.limit) else {
            throw Refusal(
                .invalid,
                .selectionInvalidResultsLimit,
                "'results_limit' is a whole number from 1 to \(CatalogValidator.resultLimit)",
                Refusal.Parameter("results_limit", .integer(Int64(selection.limit)))
            )
        }
        guard selection.filters.count <= CatalogValidator.filterLimit else {
            throw Refusal(
                .invalid,
                .tooManyFilters,
                "a selection has at most \(CatalogValidator.filterLimit) filters",
                Refusal.Parameter("filters", .integer(Int64(selection.filters.count)))
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
                    "the filter of '\(filter.field)' \(problem)",
                    Refusal.Parameter("field", .string(filter.field)),
                    Refusal.Parameter("operator", .string(filter.comparison.rawValue))
                )
            }
        }
        let arrays = Set(selection.filters.map(\.field).filter { kinds[$0] == .array })
        guard arrays.count <= 1 else {
            throw Refusal(
                .invalid,
                .selectionContainsTooManyArrays,
                "one field of type 'array' can be filtered by, not "
                    + arrays.sorted().joined(separator: " and "),
                arrays.sorted().map { Refusal.Parameter("field", .string($0)) }
            )
        }
        if let order = selection.order {
            let sortable: Set<Catalog.Field.Kind> = [.string, .number, .boolean, .time]
            guard let kind = kinds[order.field], sortable.contains(kind) else {
                throw Refusal(
                    .invalid,
                    .invalidSortField,
                    "'sort_field' is a field of the catalog that is no object and no array",
                    Refusal.Parameter("sort_field", .string(order.field))
                )
            }
        }
    }

    /// The error of a filter, given the type of its field.
    private static func problem(
        _ filter: CatalogSelection.Filter,
        _ kind: Catalog.Field.Kind?
    ) -> String? {
        guard let kind else { return "names no field of the catalog" }
        let comparisons = comparisons(of: kind)
        guard comparisons.contains(filter.comparison) else {
            guard !comparisons.isEmpty else { return "cannot be: it is of type '\(kind.rawValue)'" }
            let names = comparisons.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return "has one of these operators: \(names)"
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
        guard fits else { return "has a value that does not fit the type '\(kind.rawValue)'" }
        if case .string(let text) = filter.value, text.contains("{{") || text.contains("{%") {
            return "has Liquid in its value, which is not evaluated here; filter the items in "
                + "the message instead"
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
