import Model
import NoroshiWire

/// The schemas that several endpoints share, by name.
enum SharedSchemas {
    /// Maximum number of users, aliases or changes per request.
    static let identifierLimit = 50

    static let all: [String: Schema] = [
        "Problem": problem, "SCIMProblem": SCIMSchemas.problem, "ItemProblem": itemProblem,
        "UserAlias": userAlias,
        "User": userReference, "Prioritization": prioritization, "ApplePush": applePush,
        "AndroidPush": androidPush, "WebPush": webPush, "Messages": messages, "Schedule": schedule,
        "SubscriptionState": subscriptionState,
        "ExportedUser": exportedUser, "Series": series,
        "InAppMessage": InAppMessageSchemas.message,
    ]

    private static let problem = Schema.object([
        "message": .text.required.described("What is wrong and what to do, for a person."),
        "errors": .list(of: .map).described("The fields or elements at fault."),
    ])

    private static let itemProblem = Schema.object([
        "input_array": .text.required.described("The list of the request."),
        "index": Schema.count.required.described("The element of the list, from 0 on."),
        "type": .text.required,
        "field": .text,
        "message": .text.required,
    ])

    private static let userAlias = Schema.object([
        "alias_name": .text(1...255).required, "alias_label": .text(1...255).required,
    ])

    static let externalID = Schema.either(.text(1...997), .integer()).described(
        "The name your system has for a user; a whole number is taken as its digits."
    )

    private static let userReference = Schema.object([
        "external_id": externalID, "user_alias": "UserAlias", "braze_id": .uuid,
        "email": .text, "phone": .text,
    ]).needingOne(of: ["external_id", "user_alias", "braze_id", "email", "phone"])

    private static let prioritization = Schema.list(
        of: .choice(
            "identified",
            "unidentified",
            "most_recently_updated",
            "least_recently_updated"
        ),
        limit: 4
    )

    private static let subscriptionState = Schema.choice("subscribed", "opted_in", "unsubscribed")

    private static let latestOnly = Schema.either(.bool, .integer(0...1)).described(
        "Of a user's devices of this platform only the one used last gets it."
    )

    private static let story = Schema.list(
        of: .object([
            "image_url": Schema.text.required.described("An https address, or Liquid."),
            "title": Schema.text.orNull, "subtitle": Schema.text.orNull,
            "uri": Schema.text.orNull.described("Where a tap on this page leads; else custom_uri."),
        ]),
        limit: StoryPage.count.upperBound
    ).described(
        "The \(StoryPage.count.lowerBound) to \(StoryPage.count.upperBound) pages of a push story. "
            + "iPhones turn them in the expanded notification, Android apps get them as data, and "
            + "browsers show the first picture. All of it counts towards the payload's limit."
    )

    private static let translations = Schema([
        "type": "object",
        "additionalProperties": Schema.object([
            "title": Schema.text.orNull, "subtitle": Schema.text.orNull, "body": Schema.text.orNull,
        ]).json,
    ]).described(
        "The texts in other languages, by ISO 639 code such as ja. A user gets those of the own "
            + "language, without its region; what is missing there is as in the message."
    )

    private static let applePush = Schema.object([
        "alert": .either(
            .text,
            .object(["title": .text.orNull, "subtitle": .text.orNull, "body": .text.orNull])
        ).described("A text or an object; required unless content-available is true."),
        "badge": Schema.integer(0...1_000_000).orNull, "sound": Schema.text.orNull,
        "extra": Schema.map.orNull, "content-available": .either(.bool, .integer(0...1)),
        "mutable_content": .either(.bool, .integer(0...1)), "category": Schema.text.orNull,
        "custom_uri": Schema.text.orNull, "use_webview": .either(.bool, .integer(0...1)),
        "notification_group_thread_id": Schema.text.orNull,
        "interruption_level": .choice("passive", "active", "time-sensitive", "critical"),
        "relevance_score": Schema(["type": "number", "minimum": 0, "maximum": 1]),
        "asset_url": Schema.text.orNull,
        "asset_file_type": .choice("aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"),
        "expiry": .time, "collapse_id": Schema.text.orNull,
        "apns_priority": Schema(["enum": [1, 5, 10]]),
        "message_variation_id": Schema.text.orNull,
        "send_to_most_recent_device_only": latestOnly,
        "buttons": .list(
            of: .object([
                "action_id": .text.required, "text": .text, "uri": .text,
            ])
        ),
        "push_story": story, "translations": translations,
    ])

    private static let life = Schema.integer(0...2_419_200)

    private static let buttons = Schema.list(
        of: .object([
            "text": Schema.text(1...255).required,
            "action": .choice("OPEN_APP", "URI", "DEEP_LINK", "CLOSE"), "uri": .text,
        ])
    )

    private static let androidPush = Schema.object([
        "alert": Schema.text.orNull.described("Required, like title, unless send_to_sync is true."),
        "title": Schema.text.orNull, "extra": Schema.map.orNull,
        "send_to_sync": .either(.bool, .integer(0...1)),
        "notification_channel_id": Schema.text.orNull, "sound": Schema.text.orNull,
        "custom_uri": Schema.text.orNull, "use_webview": .either(.bool, .integer(0...1)),
        "collapse_key": Schema.text.orNull, "time_to_live": life, "priority": .integer(-2...2),
        "android_priority": .choice("normal", "high"), "buttons": buttons, "push_story": story,
        "translations": translations,
        "message_variation_id": Schema.text.orNull,
        "send_to_most_recent_device_only": latestOnly,
    ])

    private static let webPush = Schema.object([
        "alert": Schema.text(1...4_000).required, "title": Schema.text(1...4_000).required,
        "extra": Schema.map.orNull, "custom_uri": Schema.text.orNull,
        "large_image_url": Schema.text.orNull, "time_to_live": life, "buttons": buttons,
        "push_story": story, "translations": translations,
        "message_variation_id": Schema.text.orNull,
        "send_to_most_recent_device_only": latestOnly,
    ])

    private static let messages = Schema.object([
        "apple_push": "ApplePush", "android_push": "AndroidPush", "web_push": "WebPush",
    ]).described("One message for each platform; platforms without one get nothing.")

    private static let schedule = Schema.object([
        "time": Schema.time.required.example("2035-01-01T09:00:00Z"), "in_local_time": .bool,
        "at_optimal_time": .bool,
    ])

    private static let activity = Schema.object([
        "name": .text.required, "first": Schema.time.required, "last": Schema.time.required,
        "count": Schema.count.required,
    ])

    private static let exportedUser = Schema.object([
        "external_id": Schema.text.orNull, "braze_id": .uuid, "created_at": .time,
        "user_aliases": .list(of: "UserAlias"), "custom_attributes": .map,
        "custom_events": .list(of: activity), "purchases": .list(of: activity),
        "devices": .list(of: .map), "push_tokens": .list(of: .map), "apps": .list(of: .map),
        "push_subscribe": "SubscriptionState", "email_subscribe": "SubscriptionState",
        "session_count": .count, "random_bucket": .integer(0...9999),
        "total_revenue": Schema.number.orNull.described(
            "Null where the purchases are in several currencies."
        ),
        "last_coordinates": Schema.list(of: .number).orNull,
        "campaigns_received": .list(
            of: .object([
                "name": Schema.text.required, "api_campaign_id": Schema.uuid.required,
                "last_received": Schema.time.required, "engaged": Schema.map.required,
                "in_control": Schema.bool.required, "variation_name": Schema.text.orNull,
                "variation_api_id": Schema.text.orNull,
            ])
        ),
    ]).described("The fields that were asked for; a field that is missing is empty.")

    /// One row for each day or hour.
    private static let series = Schema.list(of: .object(["time": .text.required]))
}
