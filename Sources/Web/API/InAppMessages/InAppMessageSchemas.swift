import NoroshiWire

/// The schemas of in-app messages in requests and responses.
enum InAppMessageSchemas {
    private static let action = Schema.object([
        "type": Schema.choice("none", "url", "event", "attribute", "request_push_permission")
            .required,
        "url": .text, "use_webview": .bool, "name": .text, "key": .text, "value": .any,
    ])

    private static let filter = Schema.object([
        "property": Schema.text.required,
        "comparison": Schema.choice(
            "equals",
            "not_equals",
            "contains",
            "exists",
            "not_exists",
            "greater",
            "greater_or_equal",
            "less",
            "less_or_equal"
        ).required,
        "value": .any,
    ])

    private static let trigger = Schema.object([
        "type": Schema.choice("session_start", "event", "purchase", "push_open").required,
        "name": Schema.text(1...255).described("Of an event."),
        "product": Schema.text.described("Of a purchase; any where it is missing."),
        "filters": .list(of: filter, limit: 20),
    ])

    private static let rules = Schema.object([
        "triggers": Schema.list(of: trigger, limit: 10).notEmpty.required,
        "priority": Schema.integer(-1000...1000)
            .described("Of several messages for one trigger the highest one is shown."),
        "delay_seconds": Schema(["type": "number", "minimum": 0, "maximum": 86_400]),
        "impression_limit": Schema.integer(1...1000).orNull
            .described("How often a device shows it: once unless stated, null for no limit."),
        "interval_seconds": Schema(["type": ["number", "null"], "minimum": 0])
            .described("Seconds between two showings."),
        "starts_at_ms": Schema(["type": ["integer", "null"]])
            .described("When it is shown first, in milliseconds since 1970."),
        "expires_at_ms": Schema(["type": ["integer", "null"]])
            .described("When it stops, in milliseconds since 1970."),
    ])

    private static let colors = Schema(["type": "object", "additionalProperties": Schema.text.json])

    static let message = Schema.object([
        "type": Schema.choice(
            "slideup",
            "modal",
            "modal_image",
            "full",
            "full_image",
            "html",
            "control"
        ).required,
        "message": Schema.text.described(
            "With Liquid, Connected Content and catalogs; HTML for the type html."
        ),
        "header": Schema.text.orNull, "image_url": Schema.text.orNull,
        "image_alt": Schema.text.orNull, "language": Schema.text.orNull,
        "slide_from": .choice("top", "bottom"),
        "orientation": .choice("any", "portrait", "landscape"),
        "text_alignment": .choice("start", "center", "end"),
        "closes_after_seconds": Schema([
            "type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 86_400,
        ]),
        "click_action": action,
        "buttons": .list(
            of: .object([
                "id": Schema.text.required, "text": Schema.text.required,
                "click_action": action.required, "colors": colors,
            ]),
            limit: 2
        ),
        "themes": Schema([
            "type": "object",
            "additionalProperties": colors.json,
            "description": "Colours (#AARRGGBB) of the slots of the themes light and dark.",
        ]),
        "extras": colors, "rules": rules.required,
        "translations": Schema([
            "type": "object",
            "additionalProperties": Schema.object([
                "header": Schema.text.orNull, "message": Schema.text.orNull,
                "image_alt": Schema.text.orNull, "buttons": colors,
            ]).json,
            "description": .string(
                "What it says in other languages, by ISO 639 code such as ja; buttons by their ids. "
                    + "A user gets the texts of the own language, without its region; what is "
                    + "missing there is as in the message."
            ),
        ]),
    ])

    /// Accepted and returned; the alternatives share the rules of the message.
    static let experiment = Schema.object([
        "control_share": Schema.integer(0...99)
            .described("The share of users, in per cent, who get nothing and are counted."),
        "weights": Schema.list(of: .integer(0...1000), limit: 8)
            .described("Of the variants relative to one another, the message's own first."),
        "variant_ids": Schema.list(of: .uuid, limit: 8).described(
            "Of the variants, the message's own first. An identifier stays with its variant when "
                + "the text changes. Without them a variant that says what one said before is that "
                + "one, and any other a new one."
        ),
        "others": Schema.list(
            of: Schema([
                "type": "object",
                "description": "Another content, in the form of the message without its rules.",
            ]),
            limit: 7
        ),
    ])

    static let state = Schema.choice("draft", "active", "stopped", "archived")

    static let example: JSONValue = [
        "name": "Welcome", "state": "active",
        "message": [
            "type": "modal", "header": "Welcome", "message": "Good to see you.",
            "buttons": [["id": "0", "text": "Thanks", "click_action": ["type": "none"]]],
            "rules": ["triggers": [["type": "session_start"]], "impression_limit": 1],
        ],
    ]

    private static let summary: [String: Schema] = [
        "id": Schema.uuid.required, "name": Schema.text.required, "state": state.required,
        "segment_id": Schema.uuid.orNull.required,
        "created_at": Schema.time.required, "updated_at": Schema.time.required,
    ]

    static let list = Schema.success([
        "in_app_messages": Schema.list(of: .object(summary)).required
    ])

    private static let figures: [String: Schema] = [
        "impressions": Schema.count.required, "unique_recipients": Schema.count.required,
        "clicks": Schema.count.required, "dismissals": Schema.count.required,
        "first_button_clicks": Schema.count.required,
        "second_button_clicks": Schema.count.required,
        "button_clicks": Schema.map.required.described("By the button's id."),
    ]

    static let details = Schema.success(
        summary.merging([
            "in_app_message": Schema("InAppMessage").required,
            "experiment": experiment.orNull.required, "goal": JourneySchemas.goal.orNull.required,
            "figures": Schema.object(figures).required,
            "variants": Schema([
                "type": "object", "additionalProperties": Schema.object(figures).json,
                "description": .string(
                    "Figures by the number of the content that was shown, and of the group "
                        + "`control`. A content that is changed after devices had it gets another "
                        + "number; the figures stay with what people saw."
                ),
            ]).required,
            "variant_contents": Schema.list(
                of: .object([
                    "number": Schema.count.required, "variant_id": Schema.uuid.required,
                    "header": Schema.text.required, "message": Schema.text.required,
                    "is_current": Schema.bool.required,
                ])
            ).required.described("What the numbers of `variants` stand for."),
        ]) { $1 }
    )
}
