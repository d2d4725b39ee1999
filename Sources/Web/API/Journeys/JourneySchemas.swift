import Model
import NoroshiWire

/// The schemas of journeys in requests and responses.
enum JourneySchemas {
    static let id = RESTEndpoint.Parameter(name: "journey_id", isRequired: true, schema: .uuid)

    static let state = Schema.choice(JourneyState.allCases.map(\.rawValue))

    private static let event = Schema.object([
        "kind": Schema.either(.choice("session_start", "purchase"), .map).required.described(
            "{\"custom\": {\"name\": …}}, {\"purchase\": {\"product\": …}}, \"purchase\" of anything or "
                + "\"session_start\"."
        ),
        "conditions": .list(
            of: .object([
                "property": Schema.text.required,
                "comparison": Schema.choice(
                    PropertyCondition.Comparison.allCases.map(\.rawValue)
                ).required,
                "value": .any,
            ])
        ),
    ])

    static let goal = Schema.object([
        "event": event.required,
        "window": Schema.number.described("How long after it counts, in seconds; else 3 days."),
    ])

    private static let query = Schema.object([
        "segments": Schema.list(of: .text).described("Identifiers or names; all must hold."),
        "filter": Schema.map.described("A filter in the JSON form of segments."),
    ])

    private static let step = Schema.object([
        "id": Schema.uuid.described(
            "Stays with the step through all versions. Without one a step is the former one of "
                + "this name, or a new one."
        ),
        "name": .text,
        "type": Schema.choice(
            "push",
            "in_app_message",
            "update",
            "webhook",
            "wait",
            "wait_for_time",
            "wait_for_event",
            "wait_for_match",
            "wait_for_quiet_hours",
            "branch",
            "split",
            "jump",
            "enter_journey",
            "exit"
        ).required,
        "next": Schema.text.described(
            "The id or the name of a step, or 'end'; without it the step below. Not of split and "
                + "exit."
        ),
        "variants": Schema.list(of: .map).described("Of push, as in files of campaigns."),
        "control_share": .integer(0...99),
        "in_app_message": Schema.text.described("The id or the name of an active message."),
        "duration": Schema.number.described("In seconds, of wait and in_app_message."),
        "attributes": Schema.map.described("Of update, as in /users/track."),
        "lists": .object(["add": .list(of: .text), "remove": .list(of: .text)]),
        "method": .choice(JourneyWebhook.Method.allCases.map(\.rawValue)),
        "url": .text, "headers": .map, "body": .text,
        "time": Schema.text.described("Of wait_for_time, on the user's clock: 09:30."),
        "weekdays": .list(of: .integer(1...7)),
        "event": event, "segment": query,
        "limit": Schema.number.described("How long is waited, in seconds."),
        "late": Schema.text.described("The step for those who were not in time, or 'end'."),
        "paths": .list(
            of: .object([
                "name": .text, "segment": query, "conditions": .list(of: .map), "next": .text,
            ])
        ),
        "shares": .list(
            of: .object([
                "name": .text, "weight": .integer(0...1_000), "is_control": .bool, "next": .text,
            ])
        ),
        "journey": Schema.text.described("The id or the name of a journey."),
    ])

    /// The fields of a journey.
    static let fields: [String: Schema] = [
        "name": .text, "note": .text, "tags": .list(of: .text),
        "entry": .object([
            "type": Schema.choice("event", "members", "entering", "api", "journey").required,
            "event": event, "segment": query,
            "at": Schema.time.described("Of members: when they enter; else when it is started."),
        ]),
        "audience": query,
        "reentry": Schema.either(
            .choice("never"),
            .object(["after": Schema.number.required.described("Seconds.")])
        ),
        "exits": .list(of: .object(["event": event, "segment": query])),
        "goal": goal,
        "ends_at_goal": .bool, "is_exempt_from_caps": .bool,
        "quiet_hours": .choice(QuietHoursHandling.allCases.map(\.rawValue)),
        "steps": .list(of: step),
    ]

    static let example: JSONValue = [
        "name": "Abandoned cart",
        "entry": ["type": "event", "event": ["kind": ["custom": ["name": "cart_filled"]]]],
        "reentry": ["after": 86_400],
        "exits": [["event": ["kind": ["purchase": [:]]]]],
        "steps": [
            ["name": "An hour", "type": "wait", "duration": 3_600],
            [
                "name": "Reminder", "type": "push",
                "variants": [
                    [
                        "name": "A",
                        "message": [
                            "common": ["message": ["title": "Still there?", "body": "Your cart"]]
                        ],
                    ]
                ],
            ],
        ],
    ]

    static let summary: [String: Schema] = [
        "journey_id": Schema.uuid.required, "name": Schema.text.required,
        "state": state.required, "version": Schema.integer().orNull.required,
        "has_unpublished_changes": Schema.bool.required, "tags": Schema.list(of: .text).required,
        "created_at": Schema.time.required, "updated_at": Schema.time.required,
        "started_at": Schema.time.orNull.required, "first_entry_at": Schema.time.orNull.required,
        "last_entry_at": Schema.time.orNull.required,
    ]

    static let problems = Schema.list(
        of: .object(["field": Schema.text.required, "message": Schema.text.required])
    ).required

    static let migration: [String: Schema] = [
        "journey_id": Schema.uuid.required,
        "migration": Schema.choice("keep", "move").described(
            "Whether people inside go on with their version, or are moved to the new one."
        ),
        "removed": Schema.map.described(
            "With move: for steps that are gone, the step at which people go on; others leave."
        ),
    ]

    static let preview = Schema.success([
        "waiting": Schema.count.required,
        "steps": Schema.list(
            of: .object([
                "step_id": Schema.uuid.required, "name": Schema.text.orNull.required,
                "waiting": Schema.count.required, "keeping": Schema.count.required,
                "staying": Schema.count.required, "going_on": Schema.count.required,
                "leaving": Schema.count.required,
            ])
        ).required,
        "problems": problems,
    ])

    static let figures = Schema.success([
        "entered": Schema.count.required, "inside": Schema.count.required,
        "converted": Schema.count.required,
        "ended": Schema.map.required.described("Entries that have ended, by reason."),
        "steps": Schema.list(
            of: .object([
                "step_id": Schema.uuid.required, "name": Schema.text.orNull.required,
                "type": Schema.text.orNull.required, "entered": Schema.count.required,
                "waiting": Schema.count.required, "passed": Schema.count.required,
                "late": Schema.count.required, "left": Schema.count.required,
                "converted": Schema.count.required, "failed": Schema.count.required,
                "paths": Schema.list(
                    of: .object([
                        "index": Schema.count.required, "name": Schema.text.orNull.required,
                        "users": Schema.count.required,
                    ])
                ).required,
            ])
        ).required,
    ])

    private static let group = Schema.text.required.described("The index of the share.")

    static let experiment = Schema.success([
        "smallest_lift": Schema.number.required,
        "groups": Schema.list(
            of: .object([
                "id": group, "name": Schema.text.required, "is_control": Schema.bool.required,
                "share": Schema.count.required, "users": Schema.count.required,
                "converted": Schema.count.required,
            ])
        ).required.described(
            "Each user counts once, with the first passage since the shares were changed last."
        ),
        "split": Schema.object([
            "probability": Schema.number.required, "is_alarm": Schema.bool.required,
        ]).orNull.required.described("Whether users are spread over the shares as drawn."),
        "required_users": Schema.object([
            "sequential": Schema.count.required, "fixed": Schema.count.required,
        ]).orNull.required.described("To find the smallest lift with 80 % probability."),
        "conversions": ExperimentSchemas.measure(named: "conversions", group: group).required,
    ])

    static let person: [String: Schema] = [
        "external_id": Schema.text.orNull.required, "braze_id": Schema.uuid.orNull.required,
        "entry": Schema.count.required.described("How often the user was inside before."),
        "version": Schema.integer().required, "entered_at": Schema.time.required,
        "step_id": Schema.uuid.orNull.required, "since": Schema.time.orNull.required,
        "due_at": Schema.time.orNull.required,
        "end": Schema.choice(JourneyEnd.allCases.map(\.rawValue)).orNull.required,
        "ended_at": Schema.time.orNull.required, "converted_at": Schema.time.orNull.required,
    ]

    static let explanation = Schema.object(
        person.merging([
            "journey_id": Schema.uuid.required, "name": Schema.text.required,
            "state": state.required,
            "step": Schema.object(["name": Schema.text.required, "type": Schema.text.required])
                .orNull.required,
            "next": Schema.object([
                "when": Schema.choice(
                    "time",
                    "event",
                    "match",
                    "at_once",
                    "when_resumed",
                    "over"
                ).required,
                "at": Schema.time.orNull, "to": Schema.text.orNull, "late": Schema.text.orNull,
                "event": Schema.map, "end": Schema.text,
            ]).required.described(
                "What moves the user on, and to which step; 'late' is the step after 'at'."
            ),
            "properties": Schema.map.required.described("What the user brought along."),
            "passages": Schema.list(
                of: .object([
                    "step_id": Schema.uuid.required, "name": Schema.text.orNull.required,
                    "type": Schema.text.orNull.required, "version": Schema.integer().required,
                    "arrived_at": Schema.time.required, "left_at": Schema.time.required,
                    "outcome": Schema.choice(
                        JourneyPassage.Outcome.allCases.map(\.rawValue)
                    ).required,
                    "path": Schema.text.orNull.required,
                    "push_no": Schema.integer().orNull.required,
                ])
            ).required,
        ]) { $1 }
    )
}
