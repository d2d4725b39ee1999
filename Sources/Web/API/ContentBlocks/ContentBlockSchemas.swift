import Model
import NoroshiWire

/// The schemas of content blocks in requests and responses.
enum ContentBlockSchemas {
    private static let name = Schema([
        "type": "string", "minLength": 1,
        "maxLength": .integer(Int64(ContentBlockValidator.nameLimit)),
        "pattern": "^[A-Za-z0-9_-]+$",
    ])

    private static let fields: [String: Schema] = [
        "description": Schema(text(ContentBlockValidator.descriptionLimit)).orNull,
        "state": Schema.choice("active", "draft"),
        "tags": .list(of: .text, limit: ContentBlockValidator.tagLimit),
    ]

    private static let content = Schema.text.described(
        "With Liquid; at most \(ContentBlockValidator.contentLimit) bytes."
    )

    private static func text(_ length: Int) -> [String: JSONValue] {
        ["type": "string", "maxLength": .integer(Int64(length))]
    }

    static let creation = Schema.object(
        fields.merging(["name": name.required, "content": content.required]) { $1 }
    ).example(["name": "greeting", "content": "Good to see you."])

    static let change = Schema.object(
        fields.merging(["content_block_id": Schema.uuid.required, "name": name, "content": content])
        { $1 }
    )

    private static let saved: [String: Schema] = [
        "content_block_id": Schema.uuid.required, "liquid_tag": Schema.text.required,
        "created_at": Schema.time.required, "updated_at": Schema.time.required,
    ]

    static let created = Schema.success(saved)
    static let updated = Schema.success(saved)

    private static let summary: [String: Schema] = [
        "content_block_id": Schema.uuid.required, "name": Schema.text.required,
        "content_type": Schema.choice("html", "text").required,
        "liquid_tag": Schema.text.required, "state": Schema.choice("active", "draft").required,
        "tags": Schema.list(of: .text).required, "created_at": Schema.time.required,
        "last_edited": Schema.time.required,
        "inclusion_count": Schema.count.required.described(
            "Messages of campaigns that include it in their own texts."
        ),
    ]

    static let list = Schema.success([
        "count": Schema.count.required,
        "content_blocks": Schema.list(of: .object(summary)).required,
    ])

    static let info = Schema.success(
        summary.merging([
            "content": Schema.text.required, "description": Schema.text.required,
            "inclusion_data": .list(
                of: .object([
                    "campaign_id": Schema.uuid.required,
                    "message_variation_id": Schema.uuid.required,
                ])
            ),
        ]) { $1 }
    )
}
