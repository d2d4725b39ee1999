import Reasons

/// Reads a rule from its JSON form; every problem has the pointer of the invalid value.
package enum SegmentJSONReader {
    package static func rule(
        _ node: JSONNode,
        at pointer: String,
        depth: Int
    ) throws(SegmentError) -> SegmentRule {
        let members = try JSONMembers(node, at: pointer, depth: depth)
        for key in ["and", "or"] where members.has(key) {
            let rules = try members.parts(key) { node, pointer throws(SegmentError) in
                try rule(node, at: pointer, depth: depth + 1)
            }
            return key == "and" ? .all(rules) : .any(rules)
        }
        if members.has("not") {
            try members.allow(["not"])
            return .not(
                try rule(members.value("not"), at: "\(pointer)/not", depth: depth + 1)
            )
        }
        return .condition(try condition(members))
    }

    private static func condition(
        _ members: JSONMembers
    ) throws(SegmentError) -> SegmentCondition {
        if members.has("attribute") {
            try members.allow(["attribute", "test", "value"])
            let name = try members.string("attribute")
            guard let attribute = StandardAttribute(rawValue: name) else {
                throw members.problem(
                    "attribute",
                    .noAttribute,
                    ["name": "\(name)"]
                )
            }
            return .attribute(.standard(attribute), try test(members))
        }
        if members.has("custom") {
            try members.allow(["custom", "test", "value"])
            return .attribute(.custom(try path(members, "custom")), try test(members))
        }
        if members.has("device") {
            try members.allow(["device"])
            let pointer = "\(members.pointer)/device"
            return .device(try deviceRule(members.value("device"), at: pointer, depth: 0))
        }
        if members.has("segment") {
            try members.allow(["segment"])
            return .segment(try members.string("segment"))
        }
        if members.has("list") {
            try members.allow(["list"])
            return .list(try members.string("list"))
        }
        if members.has("control_group") {
            try members.allow(["control_group"])
            guard members.value("control_group") == .bool(true) else {
                throw members.problem("control_group", .trueNeeded)
            }
            return .controlGroup
        }
        return .activity(try activity(members))
    }

    private static func path(
        _ members: JSONMembers,
        _ key: String
    ) throws(SegmentError) -> AttributePath {
        let text = try members.string(key)
        do {
            return try SegmentParser.parsePath(text)
        } catch {
            throw members.problem(
                key,
                .noPath,
                ["text": "\(text)", "reason": .reason(error.reason)]
            )
        }
    }

    private static func deviceRule(
        _ node: JSONNode,
        at pointer: String,
        depth: Int
    ) throws(SegmentError) -> DeviceRule {
        let members = try JSONMembers(node, at: pointer, depth: depth)
        for key in ["and", "or"] where members.has(key) {
            let rules = try members.parts(key) { node, pointer throws(SegmentError) in
                try deviceRule(node, at: pointer, depth: depth + 1)
            }
            return key == "and" ? .all(rules) : .any(rules)
        }
        if members.has("not") {
            try members.allow(["not"])
            return .not(
                try deviceRule(members.value("not"), at: "\(pointer)/not", depth: depth + 1)
            )
        }
        try members.allow(["field", "test", "value"])
        let name = try members.string("field")
        guard let field = DeviceField(rawValue: name) else {
            throw members.problem("field", .noDeviceField, ["name": "\(name)"])
        }
        return .field(field, try test(members))
    }

    private static func activity(
        _ members: JSONMembers
    ) throws(SegmentError) -> ActivityCondition {
        let common: Set<String> = ["where", "measure", "is", "value", "from", "until"]
        let subject: ActivityCondition.Subject
        if members.has("event") {
            try members.allow(common.union(["event"]))
            subject = .event(try members.string("event"))
        } else if members.has("purchase") {
            try members.allow(common.union(["purchase"]))
            subject = .purchase(products: try members.strings("purchase"))
        } else if members.has("session") {
            try members.allow(common.union(["session"]))
            guard members.value("session") == .bool(true) else {
                throw members.problem("session", .trueNeeded)
            }
            subject = .session
        } else if members.has("campaign") {
            try members.allow(common.union(["campaign", "action"]))
            let action = try members.string("action")
            guard let action = MessageAction(rawValue: action) else {
                throw members.problem("action", .noAction, ["name": "\(action)"])
            }
            subject = .message(action, campaigns: try members.strings("campaign"))
        } else {
            throw members.problem(
                nil,
                .conditionKind
            )
        }
        var properties: [ActivityCondition.Property] = []
        if members.has("where") {
            for (index, node) in try members.array("where").enumerated() {
                let property = try JSONMembers(node, at: "\(members.pointer)/where/\(index)")
                try property.allow(["property", "test", "value"])
                properties.append(
                    ActivityCondition.Property(
                        path: try path(property, "property"),
                        test: try test(property)
                    )
                )
            }
        }
        return ActivityCondition(
            subject: subject,
            properties: properties,
            measure: try measure(members),
            from: members.has("from") ? try members.moment("from") : nil,
            until: members.has("until") ? try members.moment("until") : nil
        )
    }

    private static func measure(
        _ members: JSONMembers
    ) throws(SegmentError) -> ActivityCondition.Measure {
        let symbol = try members.string("is")
        guard let comparison = Comparison(rawValue: symbol) else {
            throw members.problem("is", .comparisonNeeded)
        }
        let measure = try members.string("measure")
        switch measure {
        case "count":
            return .count(comparison, try members.integer("value"))
        case "sum":
            let micros = (try members.number("value") * 1_000_000).rounded()
            guard let exact = Int64(exactly: micros), exact.magnitude < 1 << 53 else {
                throw members.problem("value", .amountTooLarge)
            }
            return .sum(comparison, exact)
        case "first": return .first(comparison, try members.moment("value"))
        case "last": return .last(comparison, try members.moment("value"))
        default:
            throw members.problem(
                "measure",
                .measureNeeded
            )
        }
    }

    private static func test(_ members: JSONMembers) throws(SegmentError) -> ValueTest {
        let name = try members.string("test")
        switch name {
        case "equal", "=":
            if case .object = members.value("value") {
                return .time(.equal, try members.moment("value"))
            }
            return .equal(try members.literal("value"))
        case "not_equal", "!=": return .notEqual(try members.literal("value"))
        case "one_of": return .oneOf(try members.literals("value"))
        case "none_of": return .noneOf(try members.literals("value"))
        case "on_day":
            let parts = try members.array("value")
            guard parts.count == 2, case .number(let month) = parts[0],
                case .number(let day) = parts[1], let month = Int(exactly: month),
                let day = Int(exactly: day),
                CivilDay(year: 2_000, month: month, day: day) != nil
            else { throw members.problem("value", .dayNeeded) }
            return .onDay(month: month, day: day)
        case "starts_with": return .startsWith(try members.string("value"))
        case "ends_with": return .endsWith(try members.string("value"))
        case "matches": return .matches(try members.string("value"))
        case "does_not_match": return .doesNotMatch(try members.string("value"))
        case "contains": return .contains(try members.literal("value"))
        case "contains_any": return .containsAny(try members.literals("value"))
        case "contains_all": return .containsAll(try members.literals("value"))
        case "contains_none": return .containsNone(try members.literals("value"))
        case "on_this_day":
            guard members.has("value") else { return .onThisDay() }
            guard let leapDay = LeapDay(rawValue: try members.string("value")) else {
                throw members.problem(
                    "value",
                    .leapDayNeeded
                )
            }
            return .onThisDay(leapDay)
        case "empty", "exists", "missing":
            try members.forbid("value")
            switch name {
            case "empty": return .empty
            case "exists": return .exists
            default: return .missing
            }
        default:
            guard let comparison = Comparison(rawValue: name), comparison.isOrdering else {
                throw members.problem("test", .noTest, ["name": "\(name)"])
            }
            switch members.value("value") {
            case .number(let number): return .number(comparison, number)
            case .integer(let integer): return .integer(comparison, integer)
            case .string(let version): return .version(comparison, version)
            default: return .time(comparison, try members.moment("value"))
            }
        }
    }
}
