/// Why a user is or is not in a segment: the rule's tree with what each filter found.
package struct SegmentExplanation: Sendable, Hashable {
    /// How a group takes its parts together.
    package enum Group: String, Sendable, Hashable {
        case all, any, not
    }

    /// `nil` for a filter.
    package let group: Group?
    /// The filter's or group's text form.
    package let text: String
    /// The JSON pointer of the filter within the segment.
    package let pointer: String
    package let holds: Bool
    /// What the user has, for filters: `country is "FR"`, `2 times, last 2026-06-01`.
    package let found: String?
    package let children: [SegmentExplanation]

    /// The filters that decide against the user, for "why not"; empty when the user is in.
    package var obstacles: [SegmentExplanation] {
        guard !holds else { return [] }
        let failing = children.flatMap(\.obstacles)
        return failing.isEmpty ? [self] : failing
    }
}

extension SegmentEvaluator {
    /// Evaluates every part of a rule for one user, without stopping early.
    package mutating func explain(
        _ rule: SegmentRule,
        for profile: AudienceProfile,
        events: [AudienceEvent],
        at pointer: String = ""
    ) throws(PatternError) -> SegmentExplanation {
        var children: [SegmentExplanation] = []
        var found: String?
        var group: SegmentExplanation.Group?
        let holds: Bool
        switch rule {
        case .all(let rules), .any(let rules):
            let isAll = if case .all = rule { true } else { false }
            group = isAll ? .all : .any
            for (index, child) in rules.enumerated() {
                children.append(
                    try explain(
                        child,
                        for: profile,
                        events: events,
                        at: "\(pointer)/\(isAll ? "and" : "or")/\(index)"
                    )
                )
            }
            holds = isAll ? children.allSatisfy(\.holds) : children.contains(where: \.holds)
        case .not(let inner):
            children = [
                try explain(inner, for: profile, events: events, at: "\(pointer)/not")
            ]
            group = .not
            holds = !children[0].holds
        case .condition(let condition):
            holds = try self.holds(condition, for: profile, events: events)
            found = try finding(condition, for: profile, events: events)
        }
        return SegmentExplanation(
            group: group,
            text: SegmentWriter.text(rule),
            pointer: pointer,
            holds: holds,
            found: found,
            children: children
        )
    }

    private mutating func finding(
        _ condition: SegmentCondition,
        for profile: AudienceProfile,
        events: [AudienceEvent]
    ) throws(PatternError) -> String {
        switch condition {
        case .attribute(let reference, _):
            let name = SegmentWriter.text(reference)
            switch value(of: reference, for: profile) {
            case .one(nil): return "\(name) is not set"
            case .one(let value?): return "\(name) is \(SegmentExplanation.text(value))"
            case .many(let values):
                let list = values.map { SegmentExplanation.text($0) }.joined(separator: ", ")
                return values.isEmpty ? "\(name) is not set" : "\(name) has \(list)"
            }
        case .activity(let activity):
            var summary = ActivitySummary()
            for event in events where try counts(event, for: activity) { summary.add(event) }
            guard summary.count > 0 else { return "never in that time" }
            var text = "\(summary.count) times, first \(TimeText.text(summary.first))"
            text += ", last \(TimeText.text(summary.last))"
            if case .sum = activity.measure {
                text += ", sum \(SegmentWriter.text(Double(summary.sumInMicros) / 1_000_000))"
            }
            return text
        case .device(let rule):
            var fitting = 0
            for device in profile.devices where try holds(rule, for: device) { fitting += 1 }
            return "\(fitting) of \(profile.devices.count) devices"
        case .segment(let id):
            return try holds(condition, for: profile, events: events)
                ? "in segment “\(id)”" : "not in segment “\(id)”"
        case .list(let id):
            return try holds(condition, for: profile, events: events)
                ? "in list “\(id)”" : "not in list “\(id)”"
        }
    }
}

extension SegmentExplanation {
    static func text(_ value: AttributeValue) -> String {
        switch value {
        case .string(let string): SegmentWriter.text(ScalarLiteral.string(string))
        case .number(let number): SegmentWriter.text(number)
        case .bool(let bool): bool ? "true" : "false"
        case .time(let seconds): TimeText.text(seconds)
        case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.keys.sorted().joined(separator: ", "))}"
        }
    }
}
