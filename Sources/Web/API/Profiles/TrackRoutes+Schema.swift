import Ingestion
import NoroshiWire

extension TrackRoutes {
    private static let user: [String: Schema] = [
        "external_id": SharedSchemas.externalID.orNull, "user_alias": Schema("UserAlias").orNull,
        "braze_id": Schema.uuid.orNull, "email": Schema.text.orNull,
        "phone": Schema.text.orNull, "_update_existing_only": Schema.bool.orNull,
    ]

    private static let occurrence: [String: Schema] = user.merging([
        "time": Schema.time.required, "properties": Schema.map.orNull,
        "id": Schema.uuid.orNull.described("An event with an id that is known is not stored."),
        "app_id": Schema.text.described("The app's SDK key or bundle identifier, for its figures."),
    ]) { $1 }

    /// Invalid elements are rejected individually, so the schema describes those that are stored.
    static let request = lists(TrackRequest.elementLimit)
    static let bulkRequest = lists(TrackRequest.bulkLimit).described(
        "At most \(TrackRequest.bulkLimit) elements in all lists, "
            + "\(TrackRequest.Limits.bulk.user) of one user."
    )

    private static func lists(_ limit: Int) -> Schema {
        Schema.object([
            "attributes": .list(
                of: .object(
                    user.merging([
                        "_merge_objects": Schema.bool.orNull,
                        "push_token_import": Schema.bool.orNull,
                        "push_tokens": .list(
                            of: .object([
                                "app_id": .text.required, "token": .text.required,
                                "device_id": Schema.uuid.orNull,
                            ])
                        ),
                    ]) { $1 }
                ).described("Also standard attributes, and custom ones of any name."),
                limit: limit
            ),
            "events": .list(
                of: .object(occurrence.merging(["name": Schema.text(1...255).required]) { $1 }),
                limit: limit
            ),
            "purchases": .list(
                of: .object(
                    occurrence.merging([
                        "product_id": Schema.text(1...255).required,
                        "currency": Schema.text(3...3).required, "price": Schema.number.required,
                        "quantity": .integer(1...100),
                    ]) { $1 }
                ),
                limit: limit
            ),
        ]).example([
            "attributes": [["external_id": "ada", "first_name": "Ada", "plan": "pro"]],
            "events": [
                ["external_id": "ada", "name": "viewed_item", "time": "2026-07-04T18:30:00Z"]
            ],
        ])
    }

    static let answer = Schema.success([
        "attributes_processed": .count, "events_processed": .count,
        "purchases_processed": .count, "errors": .list(of: "ItemProblem"),
    ])
}
