import Audience
import Model
import NoroshiWire
import Reports

/// What questions and answers of reports look like.
enum ReportSchemas {
    private static let stepNumbers = ReportQuestionForm.stepNumbers

    // MARK: Questions

    private static let conditions = Schema.list(of: .map, limit: ReportLimits.properties)
        .described(
            "Conditions on its properties, as in filters of segments: "
                + "{\"property\": \"price\", \"test\": \">=\", \"value\": 10}. All must hold."
        )

    private static let activityMembers: [String: Schema] = [
        "event": Schema.text.described("A custom event."),
        "purchase": Schema.list(of: .text, limit: ReportLimits.products)
            .described("Purchases of these products; of any when empty."),
        "session": Schema.bool.described("True for sessions."),
        "where": conditions,
    ]

    private static let activity = Schema.object(activityMembers)
        .described("One of event, purchase and session.")
        .example(["event": "viewed"])

    private static func question(
        _ members: [String: Schema],
        takesBreakdown: Bool = true
    ) -> Schema {
        var common = users
        common["unit"] = Schema.choice(ReportUnit.allCases.map(\.rawValue))
            .described("Day without it; weeks begin on Monday.")
        common["length"] = Schema.integer(1...ReportUnit.hour.lengths.upperBound).required
            .described("How many of the unit; at most 400 days, 106 weeks or 60 months.")
        common["ending_at"] = Schema.time.described("In the last of them; now without it.")
        common["time_zone"] = Schema.text.example("Asia/Tokyo")
            .described("The workspace's without it.")
        if takesBreakdown {
            common["breakdown"] = breakdown(ReportQuestionForm.Trait.allCases).orNull
        }
        return .object(common.merging(members) { $1 })
    }

    /// Who counts.
    private static let users: [String: Schema] = [
        "segment_id": Schema.text.orNull.described("Only users who are in it now."),
        "audience": Schema.map.orNull.described(
            "A connected audience object: only users who match now."
        ),
    ]

    private static func breakdown(_ traits: [ReportQuestionForm.Trait]) -> Schema {
        .object([
            "by": Schema.choice(traits.map(\.rawValue)).required,
            "name": Schema.text.described("Of the attribute or the property."),
            "segments": .list(of: .uuid, limit: ReportLimits.segments.upperBound),
            "limit": Schema.integer(ReportLimits.values).described(
                "How many values are shown by themselves; "
                    + "\(ReportLimits.usualValues) without it."
            ),
        ])
    }

    static let compositionQuestion = Schema.object(
        users.merging([
            "breakdown": breakdown(ReportQuestionForm.Trait.allCases.filter { $0 != .property })
                .required
        ]) { $1 }
    )

    static let funnelQuestion = question([
        "steps": Schema.list(of: activity, limit: ReportLimits.steps.upperBound)
            .least(ReportLimits.steps.lowerBound).required
            .described("At least \(ReportLimits.steps.lowerBound), in their order."),
        "window_seconds": Schema.integer(1...ReportLimits.longestWindow).required
            .described("The longest time from the first step to the last."),
        "exclusions": Schema.list(
            of: .object(
                activityMembers.merging([
                    "after_step": Schema.integer(stepNumbers).required,
                    "before_step": Schema.integer(stepNumbers).required,
                ]) { $1 }
            ),
            limit: ReportLimits.exclusions
        ).described("What ends an attempt between these steps; the first step is 1."),
        "hold_constant": Schema.text.orNull.described(
            "A property that has the same value at every step."
        ),
    ])

    static let retentionQuestion = question([
        "unit": .choice("day", "week", "month"),
        "length": Schema.integer(ReportLimits.cohorts).required.described("How many cohorts."),
        "intervals": Schema.integer(ReportLimits.retentionIntervals).required
            .described("How many intervals after the first."),
        "cohort": Schema.choice(RetentionQuestion.Cohort.allCases.map(\.rawValue))
            .described("By the first event ever, or by each interval that has one."),
        "mode": Schema.choice(RetentionQuestion.Mode.allCases.map(\.rawValue))
            .described("n_day without it."),
        "first": activity.required, "returning": activity.required,
    ])

    static let controlGroupQuestion = question(
        [
            "activity": activity.required,
            "currency": Schema.text(3...3).described("ISO 4217; compares what users pay, too."),
            "smallest_lift": Schema.number.described(
                "The smallest relative lift worth knowing; without it 0.1, for 10 %."
            ),
        ],
        takesBreakdown: false
    )

    static let pathsQuestion = question(
        [
            "start": activity.required.described("What every path begins with."),
            "direction": Schema.choice(PathsQuestion.Direction.allCases.map(\.rawValue))
                .described("after without it: what users do next. before: what they did before."),
            "steps": Schema.integer(ReportLimits.pathSteps).required
                .described("How many steps are looked at besides the start."),
            "window_seconds": Schema.integer(1...ReportLimits.longestWindow).required
                .described("The longest time from the start to a step."),
            "leave_out": Schema.list(of: activity, limit: ReportLimits.pathExceptions)
                .described("What is no step."),
            "limit": Schema.integer(ReportLimits.values).described(
                "How many kinds of a step are shown by themselves; "
                    + "\(ReportLimits.usualPathKinds) without it."
            ),
        ],
        takesBreakdown: false
    )

    static let controlGroupAnswer = answer([
        "share": Schema.integer(0...ControlGroup.shares.upperBound).required
            .described("The percentage of users in the group; 0 without one."),
        "since": Schema.time.orNull.required,
        "measures": Schema.list(
            of: ExperimentSchemas.measure(
                named: "rate, or revenue: what a user paid.",
                group: Schema.choice("control", "others").required
            )
        ).required.described("Empty without such a group."),
    ])

    static let seriesQuestion = question([
        "series": Schema.object(
            activityMembers.merging([
                "new_users": Schema.bool.described("True for users by their first moment here."),
                "revenue": Schema.list(of: .text, limit: ReportLimits.products)
                    .described("What was paid for these products; for any when empty."),
                "currency": Schema.text(3...3).described("ISO 4217, of revenue."),
            ]) { $1 }
        ).required.described("One of event, purchase, session, new_users and revenue.")
            .example(["event": "viewed"]),
        "measure": Schema.choice(SeriesQuestion.Measure.allCases.map(\.rawValue))
            .described("total without it."),
        "compare": Schema.bool.described("Whether the period before is counted too."),
    ])

    // MARK: Answers

    private static func answer(_ members: [String: Schema]) -> Schema {
        .success(
            members.merging([
                "complete_since": Schema.time.described(
                    "Present where the report looks further back than the workspace keeps events "
                        + "or sessions: it counts what happened since then. Tables have it as the header "
                        + "`Complete-Since`."
                )
            ]) { $1 }
        )
    }

    private static let counts = Schema.list(of: .count)

    private static func groups(_ members: [String: Schema]) -> Schema {
        let group: [String: Schema] = [
            "kind": Schema.choice("value", "segment", "missing", "other").required,
            "value": .text, "segment_id": .text,
        ]
        return .list(of: .object(group.merging(members) { $1 }))
    }

    static let funnelAnswer = answer([
        "steps": Schema.list(
            of: .object([
                "users": Schema.count.required,
                "average_seconds": Schema.number.orNull.required,
                "median_seconds": Schema.count.orNull.required,
            ])
        ).required,
        "groups": groups(["users": counts.required]),
    ])

    static let compositionAnswer = answer([
        "users": Schema.count.required,
        "groups": groups(["users": Schema.count.required]).required
            .described("Who has several values is in several of them."),
    ])

    private static let pathsKind: [String: Schema] = [
        "kind": Schema.choice("event", "purchase", "session", "other", "end").required,
        "event": Schema.text.described("The name of a custom event."),
    ]

    static let pathsAnswer = answer([
        "users": Schema.count.required.described("Each has one path."),
        "steps": Schema.list(
            of: .object([
                "nodes": Schema.list(
                    of: .object(pathsKind.merging(["users": Schema.count.required]) { $1 })
                ).required.described("What comes at this step, the most frequent first."),
                "links": Schema.list(
                    of: .object([
                        "from": Schema.count.required
                            .described("A node of the step before, from 0; 0 for the start."),
                        "to": Schema.count.required.described("A node of this step, from 0."),
                        "users": Schema.count.required,
                    ])
                ).required,
            ])
        ).required,
        "paths": Schema.list(
            of: .object([
                "steps": Schema.list(of: .object(pathsKind)).required,
                "users": Schema.count.required,
            ])
        ).required.described("The most frequent whole paths."),
    ])

    private static let curve: [String: Schema] = [
        "users": Schema.count.required, "returned": counts.required,
        "of": counts.required.described("The users of cohorts whose interval has begun."),
    ]

    static let retentionAnswer = answer([
        "cohorts": Schema.list(
            of: .object([
                "start": Schema.text.required, "users": Schema.count.required,
                "returned": Schema.list(of: Schema.count.orNull).required
                    .described("null where the interval has not begun."),
                "complete": Schema.count.required
                    .described("How many of them are over for the whole cohort."),
            ])
        ).required,
        "total": Schema.object(curve).required,
        "groups": groups(curve),
    ])

    private static let amount: [String: Schema] = [
        "value": Schema.number.orNull.required
            .described("The measure that was asked for; null for the average of nobody."),
        "total": Schema.number.required, "users": Schema.count.required,
    ]

    private static let line: [String: Schema] = [
        "data": Schema.list(of: .object(amount.merging(["time": Schema.text.required]) { $1 }))
            .required,
        "whole": Schema.object(amount).required
            .described("A user of several intervals is one."),
    ]

    private static let lines = line.merging(["previous": Schema.object(line)]) { $1 }

    static let seriesAnswer = answer(
        lines.merging(["currency": .text, "groups": groups(lines)]) { $1 }
    )
}
