import Experiments
import Foundation
import InAppMessages
import Model
import NoroshiWire

/// What the contents of an in-app message say, in the terms of the REST API.
struct InAppComparisonAnswer {
    private static let id = Schema.text.required.described("A variant_id, or control.")

    static let schema = Schema.success([
        "smallest_lift": Schema.number.required,
        "groups": Schema.list(
            of: .object([
                "id": id, "number": Schema.count.orNull.required, "share": Schema.number.required,
                "users": Schema.count.required, "clicked": Schema.count.required,
                "converted": Schema.count.orNull.required
                    .described("Users who reached the goal; null without one."),
            ])
        ).required.described(
            "Each user counts once, in the group of what was shown first. The control group would "
                + "have been shown the message; it is compared by the goal only."
        ),
        "withheld": Schema.object([
            "users": Schema.count.required,
            "converted": Schema.count.orNull.required
                .described("Users who reached the goal without it; null without one."),
        ]).required.described(
            "The workspace's control group: who would have seen the message. It gets no other one "
                + "either, and is no group of the comparison."
        ),
        "split": Schema.object([
            "probability": Schema.number.required, "is_alarm": Schema.bool.required,
        ]).orNull.required.described("Whether users are spread over the groups as drawn now."),
        "required_users": Schema.object([
            "sequential": Schema.count.required, "fixed": Schema.count.required,
        ]).orNull.required.described("To find the smallest lift with 80 % probability."),
        "clicks": ExperimentSchemas.measure(named: "clicks", group: id).required,
        "conversions": ExperimentSchemas.measure(named: "conversions", group: id).orNull.required
            .described("By the goal; null without one."),
        "complete_since": Schema.time.described(
            "Present where the goal was chosen after reports were removed: compared are users who "
                + "saw the message for the first time since then."
        ),
    ])

    private let comparison: InAppComparison

    init(_ comparison: InAppComparison) {
        self.comparison = comparison
    }

    var json: JSONValue {
        let baseline = comparison.experiment.arms.first?.sample.mean ?? 0
        var members: [String: JSONValue] = [
            "message": "success", "smallest_lift": .number(comparison.smallestLift),
            "groups": .array(
                comparison.groups.map { group in
                    [
                        "id": id(group.identity),
                        "number": group.content.map { .integer(Int64($0.number)) } ?? .null,
                        "share": .number(group.share), "users": .integer(Int64(group.users)),
                        "clicked": .integer(Int64(group.clicked)),
                        "converted": comparison.conversions == nil
                            ? .null : .integer(Int64(group.converted)),
                    ]
                }
            ),
            "withheld": [
                "users": .integer(Int64(comparison.withheld.users)),
                "converted": comparison.conversions == nil
                    ? .null : .integer(Int64(comparison.withheld.converted)),
            ],
            "split": comparison.split.map {
                ["probability": .number($0.probability), "is_alarm": .bool($0.isAlarm)]
            } ?? .null,
            "required_users": comparison.requiredUsers(baseline: baseline).map {
                [
                    "sequential": .integer(Int64($0.sequential)),
                    "fixed": .integer(Int64($0.fixed)),
                ]
            } ?? .null,
            "clicks": ExperimentMeasureAnswer(
                comparison.experiment,
                name: "clicks",
                isRate: true,
                id: id
            ).json,
            "conversions": comparison.conversions.map {
                ExperimentMeasureAnswer($0, name: "conversions", isRate: true, id: id).json
            } ?? .null,
        ]
        members["complete_since"] = comparison.completeSince.map {
            .string(Timestamp.format($0))
        }
        return .object(members)
    }

    private func id(_ group: ExperimentGroup) -> JSONValue {
        let content = comparison.groups.first { $0.identity == group }?.content
        return content.map { .string($0.id.uuidString.lowercased()) } ?? "control"
    }
}
