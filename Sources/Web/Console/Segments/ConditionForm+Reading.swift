import Segments

extension ConditionForm {
    /// The rows of a written condition; parts that no row can express stay text.
    init(reading rule: SegmentRule) {
        self.init()
        let parts: [SegmentRule]
        switch rule {
        case .all(let rules): parts = rules
        case .any(let rules) where Self.attributeRow(rule) == nil:
            parts = rules
            isAny = true
        default: parts = [rule]
        }
        for part in parts {
            if let row = Self.attributeRow(part) {
                attributes.append(row)
            } else if let row = Self.eventRow(part) {
                events.append(row)
            } else {
                written.append(SegmentWriter.text(part))
            }
        }
    }

    /// The row that is exactly equivalent, if there is one.
    private static func attributeRow(_ rule: SegmentRule) -> AttributeRow? {
        // A value that may be a text or a number is tested as both.
        let first: SegmentRule? =
            switch rule {
            case .any(let rules), .all(let rules): rules.first
            default: rule
            }
        guard case .condition(.attribute(let reference, let test)) = first,
            let name = name(of: reference), let (kind, value) = comparison(test)
        else { return nil }
        let row = AttributeRow(name: name, test: kind, value: value)
        return says(try? text(of: row), rule) ? row : nil
    }

    private static func eventRow(_ rule: SegmentRule) -> EventRow? {
        guard case .condition(.activity(let activity)) = rule,
            case .event(let name) = activity.subject,
            case .count(let comparison, let count) = activity.measure
        else { return nil }
        var row = EventRow(
            name: name,
            property: "",
            value: "",
            isDone: comparison == .greaterOrEqual || comparison == .greater,
            count: comparison == .greaterOrEqual && count > 1 ? String(count) : "",
            days: ""
        )
        if case .now(let offset) = activity.from { row.days = String(-offset / 86_400) }
        if let property = activity.properties.first,
            case .key(let key) = property.path.steps.first,
            case (.isEqual, let value)? = Self.comparison(property.test)
        {
            row.property = key
            row.value = value
        }
        return says(try? text(of: row), rule) ? row : nil
    }

    private static func name(of reference: AttributeReference) -> String? {
        switch reference {
        case .standard: return SegmentWriter.text(reference)
        case .custom(let path):
            guard path.steps.count == 1, case .key(let name) = path.steps[0] else { return nil }
            return name
        }
    }

    private static func comparison(_ test: ValueTest) -> (Test, String)? {
        switch test {
        case .equal(let literal): (.isEqual, plain(literal))
        case .notEqual(let literal): (.isNot, plain(literal))
        case .contains(let literal): (.contains, plain(literal))
        case .startsWith(let text): (.begins, text)
        case .exists: (.exists, "")
        case .missing: (.missing, "")
        case .number(.greaterOrEqual, let number): (.atLeast, SegmentWriter.text(number))
        case .number(.lessOrEqual, let number): (.atMost, SegmentWriter.text(number))
        case .time(.greaterOrEqual, .now(let offset)): (.within, String(-offset / 86_400))
        case .time(.greaterOrEqual, let moment): (.atLeast, SegmentWriter.text(moment))
        case .time(.lessOrEqual, let moment): (.atMost, SegmentWriter.text(moment))
        default: nil
        }
    }

    private static func plain(_ literal: ScalarLiteral) -> String {
        if case .string(let text) = literal { return text }
        return SegmentWriter.text(literal)
    }

    private static func says(_ text: String?, _ rule: SegmentRule) -> Bool {
        guard let text, let located = try? SegmentParser.parse(text) else { return false }
        return located.rule == rule
    }
}
