import Reasons

/// The connected audience object of the REST API, as messages and campaign triggers carry it.
///
///     {"AND": [{"custom_attribute": {"custom_attribute_name": "plan",
///                                    "comparison": "equals", "value": "pro"}},
///              {"OR": [{"push_subscription_status": {"comparison": "is", "value": "opted_in"}},
///                      {"last_used_app": {"comparison": "after", "value": "2026-01-31T00:00:00Z"}}]}]}
///
/// It knows custom attributes, the two subscription states and the last use of an app; anything
/// else is said through a segment.
package enum ConnectedAudience {
    package static func rule(_ node: JSONNode) throws(SegmentError) -> SegmentRule {
        let rule = try rule(node, at: "", depth: 0)
        guard conditions(of: rule) <= SegmentParser.maxConditions else {
            throw SegmentError(
                pointer: "",
                .connectedLimit,
                ["count": "\(SegmentParser.maxConditions)"]
            )
        }
        return rule
    }

    private static func conditions(of rule: SegmentRule) -> Int {
        switch rule {
        case .all(let rules), .any(let rules): rules.reduce(0) { $0 + conditions(of: $1) }
        case .not(let rule): conditions(of: rule)
        case .condition: 1
        }
    }

    private static func rule(
        _ node: JSONNode,
        at pointer: String,
        depth: Int
    ) throws(SegmentError) -> SegmentRule {
        let members = try JSONMembers(node, at: pointer, depth: depth)
        for key in ["AND", "OR"] where members.has(key) {
            let rules = try members.parts(key) { node, pointer throws(SegmentError) in
                try rule(node, at: pointer, depth: depth + 1)
            }
            guard !rules.isEmpty else { throw members.problem(key, .emptyList) }
            return key == "AND" ? .all(rules) : .any(rules)
        }
        let filters = [
            "custom_attribute", "push_subscription_status", "email_subscription_status",
            "last_used_app",
        ]
        for key in filters where members.has(key) {
            try members.allow([key])
            let filter = try JSONMembers(members.value(key), at: "\(pointer)/\(key)")
            switch key {
            case "custom_attribute": return try customAttribute(filter)
            case "push_subscription_status": return try state(filter, .pushSubscription)
            case "email_subscription_status": return try state(filter, .emailSubscription)
            default: return try lastUsed(filter)
            }
        }
        throw members.problem(
            nil,
            .connectedFilter,
            ["known": "\(filters.joined(separator: ", "))"]
        )
    }

    private static func state(
        _ filter: JSONMembers,
        _ attribute: StandardAttribute
    ) throws(SegmentError) -> SegmentRule {
        try filter.allow(["comparison", "value"])
        let value = try filter.string("value")
        guard ["opted_in", "subscribed", "unsubscribed"].contains(value) else {
            throw filter.problem("value", .connectedState)
        }
        switch try filter.string("comparison") {
        case "is": return .condition(.attribute(.standard(attribute), .equal(.string(value))))
        case "is_not":
            return .condition(.attribute(.standard(attribute), .notEqual(.string(value))))
        default: throw filter.problem("comparison", .connectedTest)
        }
    }

    private static func lastUsed(_ filter: JSONMembers) throws(SegmentError) -> SegmentRule {
        try filter.allow(["comparison", "value"])
        let moment = try time(filter)
        switch try filter.string("comparison") {
        case "after":
            return .condition(.attribute(.standard(.lastSessionAt), .time(.greater, moment)))
        case "before":
            return .condition(.attribute(.standard(.lastSessionAt), .time(.less, moment)))
        default: throw filter.problem("comparison", .connectedOrder)
        }
    }

    private static func time(_ filter: JSONMembers) throws(SegmentError) -> TimePoint {
        let text = try filter.string("value")
        guard let point = TimeText.lenientPoint(text) else {
            throw filter.problem("value", .connectedTime, ["text": "\(text)"])
        }
        return point
    }

    private static func customAttribute(
        _ filter: JSONMembers
    ) throws(SegmentError) -> SegmentRule {
        try filter.allow(["custom_attribute_name", "comparison", "value"])
        let name = try filter.string("custom_attribute_name")
        guard let path = AttributePath(name) else {
            throw filter.problem("custom_attribute_name", .emptyName)
        }
        func order(_ comparison: Comparison) throws(SegmentError) -> SegmentRule {
            if case .integer(let integer) = filter.value("value") {
                return rule(.integer(comparison, integer))
            }
            return rule(.number(comparison, try filter.number("value")))
        }
        func rule(_ tests: ValueTest...) -> SegmentRule {
            let conditions = tests.map { SegmentRule.condition(.attribute(.custom(path), $0)) }
            return conditions.count == 1 ? conditions[0] : .all(conditions)
        }
        /// Seconds in the filter's number of days.
        func days() throws(SegmentError) -> Int64 {
            let seconds = Int64(try filter.integer("value")) * 86_400
            guard TimePoint.reach.contains(seconds) else {
                throw filter.problem("value", .tooFar)
            }
            return seconds
        }
        let comparison = try filter.string("comparison")
        switch comparison {
        case "equals": return rule(.equal(try filter.literal("value")))
        case "not_equal", "does_not_equal": return rule(.notEqual(try filter.literal("value")))
        case "matches_regex": return rule(.matches(try filter.string("value")))
        case "does_not_match_regex": return rule(.doesNotMatch(try filter.string("value")))
        case "exists": return rule(.exists)
        case "does_not_exist": return rule(.missing)
        case "includes_value": return rule(.contains(try filter.literal("value")))
        case "does_not_include_value":
            return rule(.containsNone([try filter.literal("value")]))
        case "greater_than": return try order(.greater)
        case "greater_than_or_equal_to": return try order(.greaterOrEqual)
        case "less_than": return try order(.less)
        case "less_than_or_equal_to": return try order(.lessOrEqual)
        case "after": return rule(.time(.greater, try time(filter)))
        case "before": return rule(.time(.less, try time(filter)))
        case "less_than_x_days_ago":
            // Future times are not "ago".
            return rule(
                .time(.greater, .now(offset: -(try days()))),
                .time(.lessOrEqual, .now(offset: 0))
            )
        case "greater_than_x_days_ago":
            return rule(.time(.less, .now(offset: -(try days()))))
        case "less_than_x_days_in_the_future":
            return rule(
                .time(.greater, .now(offset: 0)),
                .time(.less, .now(offset: try days()))
            )
        case "greater_than_x_days_in_the_future":
            return rule(.time(.greater, .now(offset: try days())))
        default:
            throw filter.problem("comparison", .connectedComparison, ["name": "\(comparison)"])
        }
    }
}
