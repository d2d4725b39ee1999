import NoroshiWire

/// The schemas of canvases in responses.
enum CanvasSchemas {
    private static let path = Schema.object([
        "name": Schema.text.required, "next_step_id": Schema.uuid.orNull.required,
    ])

    static let details = Schema.success([
        "created_at": Schema.time.required, "updated_at": Schema.time.required,
        "name": Schema.text.required, "description": Schema.text.required,
        "archived": Schema.bool.required, "draft": Schema.bool.required,
        "enabled": Schema.bool.required, "has_post_launch_draft": Schema.bool.required,
        "schedule_type": Schema.choice("time_based", "action_based", "api_triggered").required,
        "first_entry": Schema.time.orNull.required, "last_entry": Schema.time.orNull.required,
        "channels": Schema.list(of: .text).required, "tags": Schema.list(of: .text).required,
        "teams": Schema.list(of: .text).required,
        "variants": Schema.list(
            of: .object([
                "name": Schema.text.required, "id": Schema.uuid.required,
                "first_step_ids": Schema.list(of: .uuid).required,
                "first_step_id": Schema.uuid.orNull.required,
            ])
        ).required.described("One: the journey itself, under its own id."),
        "steps": Schema.list(
            of: .object([
                "name": Schema.text.required, "type": Schema.text.required,
                "id": Schema.uuid.required, "next_step_ids": Schema.list(of: .uuid).required,
                "next_paths": Schema.list(of: path).required,
                "channels": Schema.list(of: .text).required, "messages": Schema.map.required,
            ])
        ).required,
    ])

    static let stats: [String: Schema] = [
        "entries": Schema.count.required, "conversions": Schema.count.required,
        "conversions_by_entry_time": Schema.count.required,
    ]

    private static let steps = Schema.map.described(
        "By the id of a push step: name, revenue, conversions, conversions_by_send_time, "
            + "unique_recipients and messages, as of campaigns."
    )

    static let summary: [String: Schema] = [
        "total_stats": Schema.object(stats).required, "variant_stats": .map, "step_stats": steps,
    ]
}
