/// Writes a rule in its JSON form; see `SegmentJSON`.
package enum SegmentJSONWriter {
    package static func node(_ rule: SegmentRule) -> JSONNode {
        switch rule {
        case .all(let rules): .object(["and": .array(rules.map(node))])
        case .any(let rules): .object(["or": .array(rules.map(node))])
        case .not(let inner): .object(["not": node(inner)])
        case .condition(let condition): .object(members(condition))
        }
    }

    private static func members(_ condition: SegmentCondition) -> [String: JSONNode] {
        switch condition {
        case .attribute(.standard(let attribute), let test):
            members(test).adding("attribute", .string(attribute.rawValue))
        case .attribute(.custom(let path), let test):
            members(test).adding("custom", .string(SegmentWriter.text(path)))
        case .activity(let activity): members(activity)
        case .device(let rule): ["device": node(rule)]
        case .segment(let id): ["segment": .string(id)]
        case .list(let id): ["list": .string(id)]
        case .controlGroup: ["control_group": .bool(true)]
        }
    }

    private static func node(_ rule: DeviceRule) -> JSONNode {
        switch rule {
        case .all(let rules): .object(["and": .array(rules.map(node))])
        case .any(let rules): .object(["or": .array(rules.map(node))])
        case .not(let inner): .object(["not": node(inner)])
        case .field(let field, let test):
            .object(members(test).adding("field", .string(field.rawValue)))
        }
    }

    static func members(_ test: ValueTest) -> [String: JSONNode] {
        func pair(_ name: String, _ value: JSONNode) -> [String: JSONNode] {
            ["test": .string(name), "value": value]
        }
        return switch test {
        case .equal(let literal): pair("equal", node(literal))
        case .notEqual(let literal): pair("not_equal", node(literal))
        case .oneOf(let literals): pair("one_of", .array(literals.map(node)))
        case .noneOf(let literals): pair("none_of", .array(literals.map(node)))
        case .number(let comparison, let number): pair(comparison.rawValue, .number(number))
        case .integer(let comparison, let integer): pair(comparison.rawValue, .integer(integer))
        case .time(let comparison, let moment): pair(comparison.rawValue, node(moment))
        case .version(let comparison, let version): pair(comparison.rawValue, .string(version))
        case .onDay(let month, let day):
            pair("on_day", .array([.number(Double(month)), .number(Double(day))]))
        case .onThisDay(.february28): ["test": .string("on_this_day")]
        case .onThisDay(let leapDay): pair("on_this_day", .string(leapDay.rawValue))
        case .startsWith(let prefix): pair("starts_with", .string(prefix))
        case .endsWith(let suffix): pair("ends_with", .string(suffix))
        case .matches(let pattern): pair("matches", .string(pattern))
        case .doesNotMatch(let pattern): pair("does_not_match", .string(pattern))
        case .contains(let literal): pair("contains", node(literal))
        case .containsAny(let literals): pair("contains_any", .array(literals.map(node)))
        case .containsAll(let literals): pair("contains_all", .array(literals.map(node)))
        case .containsNone(let literals): pair("contains_none", .array(literals.map(node)))
        case .empty: ["test": .string("empty")]
        case .exists: ["test": .string("exists")]
        case .missing: ["test": .string("missing")]
        }
    }

    private static func node(_ literal: ScalarLiteral) -> JSONNode {
        switch literal {
        case .string(let string): .string(string)
        case .number(let number): .number(number)
        case .integer(let integer): .integer(integer)
        case .bool(let bool): .bool(bool)
        }
    }

    static func node(_ moment: TimePoint) -> JSONNode {
        switch moment {
        case .at(let seconds): .object(["at": .string(TimeText.moment(seconds))])
        case .day(let number): .object(["at": .string(TimeText.text(number * 86_400))])
        case .now(let offset): .object(["now": .number(Double(offset))])
        case .today(let days): .object(["today": .number(Double(days))])
        }
    }

    private static func members(_ activity: ActivityCondition) -> [String: JSONNode] {
        var members: [String: JSONNode] = [:]
        switch activity.subject {
        case .event(let name): members["event"] = .string(name)
        case .purchase(let products):
            members["purchase"] = .array(products.map(JSONNode.string))
        case .session: members["session"] = .bool(true)
        case .message(let action, let campaigns):
            members["campaign"] = .array(campaigns.map(JSONNode.string))
            members["action"] = .string(action.rawValue)
        }
        if !activity.properties.isEmpty {
            members["where"] = .array(
                activity.properties.map {
                    .object(
                        self.members($0.test)
                            .adding("property", .string(SegmentWriter.text($0.path)))
                    )
                }
            )
        }
        let (measure, comparison, value): (String, Comparison, JSONNode) =
            switch activity.measure {
            case .count(let comparison, let number): ("count", comparison, .number(Double(number)))
            case .sum(let comparison, let micros):
                ("sum", comparison, .number(Double(micros) / 1_000_000))
            case .first(let comparison, let moment): ("first", comparison, node(moment))
            case .last(let comparison, let moment): ("last", comparison, node(moment))
            }
        members["measure"] = .string(measure)
        members["is"] = .string(comparison.rawValue)
        members["value"] = value
        if let from = activity.from { members["from"] = node(from) }
        if let until = activity.until { members["until"] = node(until) }
        return members
    }
}

extension [String: JSONNode] {
    fileprivate func adding(_ key: String, _ value: JSONNode) -> [String: JSONNode] {
        var copy = self
        copy[key] = value
        return copy
    }
}
