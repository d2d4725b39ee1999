/// Writes a rule in the text form that `SegmentParser` reads.
package enum SegmentWriter {
    package static func text(_ rule: SegmentRule) -> String {
        switch rule {
        case .all(let rules): grouped(rules, "and", empty: "everyone")
        case .any(let rules): grouped(rules, "or", empty: "nobody")
        case .not(let inner): "not \(nested(inner))"
        case .condition(let condition): text(condition)
        }
    }

    private static func grouped(_ rules: [SegmentRule], _ word: String, empty: String) -> String {
        rules.isEmpty ? empty : rules.map(nested).joined(separator: " \(word) ")
    }

    private static func nested(_ rule: SegmentRule) -> String {
        switch rule {
        case .all(let rules) where rules.count > 1: "(\(text(rule)))"
        case .any(let rules) where rules.count > 1: "(\(text(rule)))"
        default: text(rule)
        }
    }

    package static func text(_ condition: SegmentCondition) -> String {
        switch condition {
        case .attribute(let reference, let test): "\(text(reference)) \(text(test))"
        case .activity(let activity): text(activity)
        case .device(.field(let field, let test)): "device.\(field.rawValue) \(text(test))"
        case .device(let rule): "device has (\(text(rule)))"
        case .segment(let id): "in segment \(quoted(id))"
        case .list(let id): "in list \(quoted(id))"
        case .controlGroup: "in control group"
        }
    }

    package static func text(_ reference: AttributeReference) -> String {
        switch reference {
        case .standard(let attribute): return attribute.rawValue
        case .custom(let path):
            if case .key(let name) = path.steps[0], SegmentKeywords.isShortName(name) {
                return text(path)
            }
            return "custom.\(text(path))"
        }
    }

    package static func text(_ path: AttributePath) -> String {
        var text = ""
        for step in path.steps {
            switch step {
            case .key(let key):
                if !text.isEmpty { text += "." }
                text += name(key)
            case .each: text += "[]"
            }
        }
        return text
    }

    private static func name(_ name: String) -> String {
        SegmentLexer.isWord(name) ? name : quoted(name)
    }

    static func text(_ rule: DeviceRule) -> String {
        func nested(_ rule: DeviceRule) -> String {
            switch rule {
            case .all(let rules) where rules.count > 1: "(\(text(rule)))"
            case .any(let rules) where rules.count > 1: "(\(text(rule)))"
            default: text(rule)
            }
        }
        switch rule {
        case .all(let rules):
            return rules.isEmpty ? "any" : rules.map(nested).joined(separator: " and ")
        case .any(let rules):
            return rules.isEmpty ? "none" : rules.map(nested).joined(separator: " or ")
        case .not(let inner): return "not \(nested(inner))"
        case .field(let field, let test): return "\(field.rawValue) \(text(test))"
        }
    }

    package static func text(_ test: ValueTest) -> String {
        switch test {
        case .equal(let literal): "= \(text(literal))"
        case .notEqual(let literal): "!= \(text(literal))"
        case .oneOf(let literals): "in \(list(literals))"
        case .noneOf(let literals): "not in \(list(literals))"
        case .number(let comparison, let number): "\(comparison.rawValue) \(text(number))"
        case .integer(let comparison, let integer): "\(comparison.rawValue) \(integer)"
        case .time(let comparison, let moment): "\(comparison.rawValue) \(text(moment))"
        case .onDay(let month, let day):
            "on \(TimeText.padded(month, 2))-\(TimeText.padded(day, 2))"
        case .onThisDay(.february28): "on today"
        case .onThisDay(.march1): "on today leap day 03-01"
        case .onThisDay(.never): "on today leap day never"
        case .version(let comparison, let version): "\(comparison.rawValue) \(quoted(version))"
        case .startsWith(let prefix): "starts with \(quoted(prefix))"
        case .endsWith(let suffix): "ends with \(quoted(suffix))"
        case .matches(let pattern): "matches \(quoted(pattern))"
        case .doesNotMatch(let pattern): "not matches \(quoted(pattern))"
        case .contains(let literal): "contains \(text(literal))"
        case .containsAny(let literals): "contains any \(list(literals))"
        case .containsAll(let literals): "contains all \(list(literals))"
        case .containsNone(let literals): "not contains any \(list(literals))"
        case .empty: "is empty"
        case .exists: "exists"
        case .missing: "not exists"
        }
    }

    private static func list(_ literals: [ScalarLiteral]) -> String {
        "(\(literals.map(text).joined(separator: ", ")))"
    }

    package static func text(_ literal: ScalarLiteral) -> String {
        switch literal {
        case .string(let string): quoted(string)
        case .number(let number): text(number)
        case .integer(let integer): "\(integer)"
        case .bool(let bool): bool ? "true" : "false"
        }
    }

    package static func text(_ number: Double) -> String {
        if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 { return "\(integer)" }
        return "\(number)"
    }

    package static func text(_ moment: TimePoint) -> String {
        switch moment {
        case .at(let seconds): return TimeText.moment(seconds)
        case .day(let number): return TimeText.text(number * 86_400)
        case .now(let offset):
            guard offset != 0 else { return "now" }
            return "now \(offset < 0 ? "-" : "+") \(duration(offset.magnitude))"
        case .today(let days):
            guard days != 0 else { return "today" }
            return "today \(days < 0 ? "-" : "+") \(days.magnitude) days"
        }
    }

    private static func duration(_ seconds: UInt64) -> String {
        for unit in SegmentKeywords.units where seconds % UInt64(unit.seconds) == 0 {
            return "\(seconds / UInt64(unit.seconds)) \(unit.name)"
        }
        return "\(seconds) seconds"
    }

    private static func text(_ activity: ActivityCondition) -> String {
        var text = subject(activity)
        if !activity.properties.isEmpty {
            let properties = activity.properties.map {
                "\(self.text($0.path)) \(self.text($0.test))"
            }
            text += " with (\(properties.joined(separator: " and ")))"
        }
        switch activity.measure {
        case .count(.greaterOrEqual, 1): text += " done"
        case .count(.equal, 0): text += " not done"
        case .count(let comparison, let number): text += " count \(comparison.rawValue) \(number)"
        case .sum(let comparison, let micros):
            text += " sum \(comparison.rawValue) \(self.text(Double(micros) / 1_000_000))"
        case .first(let comparison, let moment):
            text += " first \(comparison.rawValue) \(self.text(moment))"
        case .last(let comparison, let moment):
            text += " last \(comparison.rawValue) \(self.text(moment))"
        }
        switch activity.from {
        case .now(let offset)? where offset < 0: text += " in last \(duration(offset.magnitude))"
        case .today(let days)? where days < 0: text += " in last \(days.magnitude) calendar days"
        case let from?: text += " from \(self.text(from))"
        case nil: break
        }
        if let until = activity.until { text += " until \(self.text(until))" }
        return text
    }

    private static func subject(_ activity: ActivityCondition) -> String {
        switch activity.subject {
        case .event(let name): return "event \(self.name(name))"
        case .purchase(let products):
            let list = products.map(quoted).joined(separator: ", ")
            return products.isEmpty ? "purchase" : "purchase of \(list)"
        case .session: return "session"
        case .message(let action, let campaigns):
            let list = campaigns.map(quoted).joined(separator: ", ")
            return "campaign \(campaigns.isEmpty ? "any" : list) \(action.rawValue)"
        }
    }

    static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        quoted.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted.append("\\")
                quoted.append(scalar)
            case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
            case "\r": quoted.append(contentsOf: "\\r".unicodeScalars)
            case "\t": quoted.append(contentsOf: "\\t".unicodeScalars)
            default: quoted.append(scalar)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }
}
