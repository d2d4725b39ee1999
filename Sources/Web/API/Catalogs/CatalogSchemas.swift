import Model
import NoroshiWire

/// The schemas of catalogs and their items in requests and responses.
enum CatalogSchemas {
    /// The names of catalogs and fields, and the ids of items.
    private static let name = Schema([
        "type": "string", "minLength": 1, "maxLength": .integer(Int64(CatalogValidator.nameLimit)),
        "pattern": "^[A-Za-z0-9_-]+$",
    ])

    private static let type = Schema([
        "type": "string",
        "enum": .array(Catalog.Field.Kind.allCases.map { .string($0.rawValue) }),
    ])

    static let creation = Schema.object([
        "catalogs": Schema.list(
            of: .object([
                "name": name.required, "description": Schema.text.orNull,
                "fields": Schema.list(
                    of: .object(["name": name.required, "type": type.required]),
                    limit: CatalogValidator.fieldLimit
                ).notEmpty.required.described("The first one is id, a string."),
            ]),
            limit: 1
        ).notEmpty.required
    ]).example([
        "catalogs": [
            [
                "name": "teas",
                "fields": [
                    ["name": "id", "type": "string"], ["name": "price", "type": "number"],
                ],
            ]
        ]
    ])

    static let addedFields = Schema.object([
        "fields": Schema.list(
            of: .object(["name": name.required, "type": type.required]),
            limit: CatalogValidator.addedFieldLimit
        ).notEmpty.required
    ]).example(["fields": [["name": "price", "type": "number"]]])

    private static let comparison = Schema([
        "type": "string",
        "enum": .array(CatalogSelection.Comparison.allCases.map { .string($0.rawValue) }),
    ]).described(
        "Of a string 'equals' and 'does not equal'; of a number also 'greater than' and "
            + "'less than'; of a boolean 'is'; of a time 'before' and 'after'; of an array "
            + "'includes value' and 'does not include value'."
    )

    private static let filters = Schema.list(
        of: .object([
            "field": name.required, "operator": comparison.required,
            "value": Schema.either(.text, .number, .bool).required,
        ]),
        limit: CatalogValidator.filterLimit
    ).described("An item has to meet all of them.")

    private static let limit = Schema.integer(1...CatalogValidator.resultLimit).described(
        "The most items that a message gets."
    )

    static let newSelection = Schema.object([
        "selection": Schema.object([
            "name": name.required, "description": Schema.text.orNull,
            "external_id": Schema.text.orNull, "source": Schema.text.orNull,
            "filters": filters, "results_limit": limit,
            "sort_field": name.described(
                "Sent with sort_order; without both, each message gets items at random."
            ),
            "sort_order": .choice("asc", "desc"),
        ]).required
    ]).example([
        "selection": [
            "name": "cheap", "sort_field": "price", "sort_order": "asc", "results_limit": 3,
            "filters": [["field": "price", "operator": "less than", "value": 500]],
        ]
    ])

    private static let selection = Schema.object([
        "name": Schema.text.required, "description": Schema.text.required,
        "external_id": Schema.text.orNull.required, "source": Schema.text.orNull.required,
        "filters": Schema.list(of: .map).required, "results_limit": limit.required,
        "sort_field": Schema.text.orNull.required, "sort_order": Schema.text.orNull.required,
    ])

    static let selections = Schema.success(["selections": Schema.list(of: selection).required])

    static let catalogs = Schema.success([
        "catalogs": Schema.list(
            of: .object([
                "name": Schema.text.required, "description": Schema.text.required,
                "fields": Schema.list(
                    of: .object([
                        "name": Schema.text.required, "type": type.required,
                        "token": Schema.text.required,
                    ])
                ).required,
                "num_items": Schema.count.required,
                "storage_size": Schema.count.required.described("Bytes of the items as JSON."),
                "updated_at": Schema.time.required, "source": Schema.text.required,
                "selections": Schema.list(of: selection).required,
            ])
        ).required
    ])

    /// Items of a list, each with its id and values of the catalog's fields.
    static let items = Schema.object([
        "items": Schema.list(
            of: .object(["id": name.required]),
            limit: CatalogValidator.itemLimit
        ).notEmpty.required
    ])

    /// One item, with its id in the path.
    static let item = Schema.object(["items": Schema.list(of: .map, limit: 1).notEmpty.required])

    static let answer = Schema.success([
        "items": Schema.list(of: .object(["id": Schema.text.required])).required
    ])
}
