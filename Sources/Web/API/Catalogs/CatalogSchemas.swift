import Model
import NoroshiWire

/// What catalogs and their items look like in requests and answers.
enum CatalogSchemas {
    /// The names of catalogs and fields, and the ids of items.
    private static let name = Schema([
        "type": "string", "minLength": 1, "maxLength": .integer(Int64(CatalogRule.nameLimit)),
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
                    limit: CatalogRule.fieldLimit
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
                "selections": Schema.list(of: .map).required,
            ])
        ).required
    ])

    /// Items of a list; each has its id and values of the catalog's fields.
    static let items = Schema.object([
        "items": Schema.list(
            of: .object(["id": name.required]),
            limit: CatalogRule.itemLimit
        ).notEmpty.required
    ])

    /// One item, whose id is in the path.
    static let item = Schema.object(["items": Schema.list(of: .map, limit: 1).notEmpty.required])

    static let answer = Schema.success([
        "items": Schema.list(of: .object(["id": Schema.text.required])).required
    ])
}
