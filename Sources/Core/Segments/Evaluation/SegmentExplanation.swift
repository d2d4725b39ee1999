/// Explains why a user is or is not in a segment: the rule's tree with the result of each filter.
package struct SegmentExplanation: Sendable, Hashable {
    /// How a group combines its parts.
    package enum Group: String, Sendable, Hashable {
        case all, any, not
    }

    /// `nil` for a filter.
    package let group: Group?
    /// The filter's or group's text form.
    package let text: String
    /// The JSON pointer of the filter within the segment. Conditions of another segment have the
    /// pointer of the filter that refers to it.
    package let pointer: String
    package let holds: Bool
    /// The user's values, for filters where they say more than whether the filter holds.
    package let found: ObservedValue?
    /// The parts of a group; for a filter on membership, the rule of that segment.
    package let children: [SegmentExplanation]

    /// The filters that exclude the user, which answer "why not"; empty if the user is in the
    /// segment.
    package var obstacles: [SegmentExplanation] {
        guard !holds else { return [] }
        let failing = children.flatMap(\.obstacles)
        return failing.isEmpty ? [self] : failing
    }
}

extension SegmentEvaluator {
    /// Evaluates every part of a rule for one user, without stopping early.
    ///
    /// - Parameter named: The rule with readable names, if `rule` refers to other objects by
    ///   numbers.
    package mutating func explain(
        _ rule: SegmentRule,
        for profile: AudienceProfile,
        events: [AudienceEvent],
        at pointer: String = "",
        named: (SegmentRule) -> SegmentRule = { $0 }
    ) throws(PatternError) -> SegmentExplanation {
        var children: [SegmentExplanation] = []
        var found: ObservedValue?
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
                        at: "\(pointer)/\(isAll ? "and" : "or")/\(index)",
                        named: named
                    )
                )
            }
            holds = isAll ? children.allSatisfy(\.holds) : children.contains(where: \.holds)
        case .not(let inner):
            children = [
                try explain(
                    inner,
                    for: profile,
                    events: events,
                    at: "\(pointer)/not",
                    named: named
                )
            ]
            group = .not
            holds = !children[0].holds
        case .condition(let condition):
            holds = try self.holds(condition, for: profile, events: events)
            found = try finding(condition, for: profile, events: events)
            if case .segment(let id) = condition, let inner = directory.rule(ofSegment: id) {
                children = [
                    try explain(inner, for: profile, events: events, at: pointer, named: named)
                ]
            }
        }
        return SegmentExplanation(
            group: group,
            text: SegmentWriter.text(named(rule)),
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
    ) throws(PatternError) -> ObservedValue? {
        switch condition {
        case .attribute(let reference, _):
            let name = SegmentWriter.text(reference)
            switch value(of: reference, for: profile) {
            case .one(nil): return .unset(name)
            case .one(let value?): return .value(name, ObservedValue.text(value))
            case .many(let values):
                return values.isEmpty
                    ? .unset(name) : .values(name, values.map(ObservedValue.text))
            }
        case .activity(let activity):
            var summary = ActivitySummary()
            let zone = profile.timeZone
            for event in events where try counts(event, for: activity, in: zone) {
                summary.add(event)
            }
            guard summary.count > 0 else { return .never }
            var sum: Double?
            if case .sum = activity.measure { sum = Double(summary.sumInMicros) / 1_000_000 }
            return .occurrences(
                summary.count,
                first: summary.first,
                last: summary.last,
                sum: sum
            )
        case .device(let rule):
            var fitting = 0
            for device in profile.devices where try holds(rule, for: device) { fitting += 1 }
            return .devices(fitting: fitting, of: profile.devices.count)
        case .segment, .list, .controlGroup:
            return nil
        }
    }
}
