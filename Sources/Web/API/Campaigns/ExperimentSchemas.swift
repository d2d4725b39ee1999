import Experiments

/// What `/campaigns/experiment` answers.
enum ExperimentSchemas {
    private static let group = Schema.text.required
        .described("A message_variation_id, or control.")

    private static let interval = Schema.object([
        "low": Schema.number.required,
        "high": Schema.number.orNull.required.described("null if nothing bounds it."),
    ]).orNull

    private static func comparison(_ group: Schema) -> Schema {
        .object([
            "id": group, "reference": group,
            "outcome": Schema.choice(GroupComparison.Outcome.allCases.map(\.rawValue)).required,
            "difference": Schema.number.required,
            "difference_interval": interval.required
                .described("Valid at any moment, for all comparisons of the measure together."),
            "lift": Schema.number.orNull.required.described("Relative: 0.12 for 12 % more."),
            "lift_interval": interval.required,
            "probability": Schema.number.orNull.required,
            "fixed": Schema.object([
                "difference_interval": interval.required, "lift_interval": interval.required,
                "probability": Schema.number.orNull.required,
            ]).required.described("What one look says that was fixed before the start."),
        ])
    }

    private static let measure = measure(
        named: "conversions, conversions1 to conversions3, revenue, opens or direct_opens; the "
            + "first one decides.",
        group: group
    )

    /// What groups say in one measure.
    ///
    /// - Parameters:
    ///   - names: What measures are called.
    ///   - group: What groups are called.
    static func measure(named names: String, group: Schema) -> Schema {
        Schema.object([
            "measure": Schema.text.required.described(names),
            "verdict": Schema.choice("winner", "no_difference", "unknown", "nothing_to_compare")
                .required,
            "winner": Schema.text.described("The group that is better than each of the others."),
            "missing_users": Schema.count.orNull
                .described("How many more users the answer is likely to need."),
            "groups": Schema.list(
                of: .object([
                    "id": group, "users": Schema.count.required,
                    "total": Schema.number.required.described("Users who did it, or the revenue."),
                    "per_user": Schema.number.orNull.required,
                    "interval": interval.described("Of a rate."),
                ])
            ).required,
            "comparisons": Schema.list(of: comparison(group)).required,
        ])
    }

    static let answer = Schema.success([
        "since": Schema.text.orNull.required.described("The first launch that counts."),
        "launches": Schema.count.required,
        "smallest_lift": Schema.number.required,
        "groups": Schema.list(
            of: .object([
                "id": group, "name": Schema.text.orNull.required,
                "share": Schema.number.required, "users": Schema.count.required,
            ])
        ).required,
        "split": Schema.object([
            "probability": Schema.number.required, "is_alarm": Schema.bool.required,
        ]).orNull.required.described("Whether users are spread over the groups as drawn."),
        "required_users": Schema.object([
            "sequential": Schema.count.required, "fixed": Schema.count.required,
        ]).orNull.required.described("To find the smallest lift with 80 % probability."),
        "converts_until": Schema.text.orNull.required,
        "chosen": Schema.object([
            "id": Schema.text.orNull.required, "name": Schema.text.required,
            "is_proven": Schema.bool.orNull.required,
        ]).orNull.required.described("What users outside of a test got."),
        "measures": Schema.list(of: measure).required,
    ])
}
