import Model
import WebPages

/// What can be put into a text, in words: attributes of the user, content blocks, catalogs and
/// answers of other servers.
struct InsertMenu {
    struct Group {
        let groupName: String
        let entries: [Entry]
    }

    struct Entry {
        /// What people call it.
        let name: String
        /// What it is called in messages.
        let field: String
        /// The text to insert, such as `{{${first_name}}}`.
        let insertion: String
        /// Whether a user may lack it, so that there can be a text instead.
        let takesDefault: Bool
    }

    /// What a workspace has to insert.
    struct Content {
        /// The custom attributes, the most used first.
        var attributes: [String]
        var blocks: [ContentBlock]
        var catalogs: [Catalog]
    }

    private static let standard = [
        ("first_name", "users.attribute.first_name"), ("last_name", "users.attribute.last_name"),
        ("email_address", "users.email"), ("country", "users.attribute.country"),
        ("language", "users.attribute.language"), ("city", "users.attribute.home_city"),
        ("time_zone", "users.attribute.time_zone"), ("user_id", "compose.user"),
    ]

    let insertGroups: [Group]

    init(_ content: Content, words: Words) {
        func group(_ key: String, _ entries: [Entry]) -> Group {
            Group(groupName: words(key), entries: entries)
        }
        insertGroups = [
            group(
                "compose.insert_user",
                Self.standard.map { field, key in
                    Entry(
                        name: words(key),
                        field: field,
                        insertion: "{{${\(field)}}}",
                        takesDefault: true
                    )
                }
            ),
            group(
                "users.custom",
                content.attributes.map {
                    Entry(
                        name: $0,
                        field: "",
                        insertion: "{{custom_attribute.${\($0)}}}",
                        takesDefault: true
                    )
                }
            ),
            group(
                "blocks.title",
                content.blocks.map {
                    Entry(
                        name: $0.name,
                        field: "",
                        insertion: "{{content_blocks.${\($0.name)}}}",
                        takesDefault: false
                    )
                }
            ),
            group(
                "catalogs.title",
                content.catalogs.map { catalog in
                    // The first field is the item's id.
                    let shown = catalog.fields.dropFirst().first?.name ?? "id"
                    return Entry(
                        name: catalog.name,
                        field: "items[0].\(shown)",
                        insertion:
                            "{% catalog_items \(catalog.name) item-id %}{{items[0].\(shown)}}",
                        takesDefault: false
                    )
                }
            ),
            group(
                "compose.insert_connected",
                [
                    Entry(
                        name: words("compose.insert_answer"),
                        field: "connected_content",
                        insertion:
                            "{% connected_content https://example.com/ :save answer %}{{answer.text}}",
                        takesDefault: false
                    )
                ]
            ),
        ].filter { !$0.entries.isEmpty }
    }
}
