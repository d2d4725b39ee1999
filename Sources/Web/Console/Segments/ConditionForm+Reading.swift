import Segments

extension ConditionForm {
    /// The rows of a written condition; parts that no row can express stay text.
    init(reading rule: SegmentRule) {
        self.init()
        let parts: [SegmentRule]
        switch rule {
        case .all(let rules) where Self.attributeRow(rule) == nil: parts = rules
        // Without any part nobody is meant, which no number of rows says.
        case .any(let rules) where !rules.isEmpty && Self.attributeRow(rule) == nil:
            parts = rules
            isAny = true
        default: parts = [rule]
        }
        for part in parts {
            if let row = Self.attributeRow(part) {
                attributes.append(row)
            } else if let row = Self.eventRow(part) {
                events.append(row)
            } else if let group = Self.group(part) {
                groups.append(group)
            } else {
                written.append(SegmentWriter.text(part))
            }
        }
    }

    /// The group that means the same; `nil` if none of its parts can be a row.
    private static func group(_ rule: SegmentRule) -> Group? {
        var inner = rule
        var isExclusion = false
        if case .not(let excluded) = rule {
            inner = excluded
            isExclusion = true
        }
        var group: Group
        let parts: [SegmentRule]
        switch inner {
        case .all(let rules) where attributeRow(inner) == nil:
            group = Group(join: isExclusion ? .notAll : .all)
            parts = rules
        case .any(let rules) where attributeRow(inner) == nil:
            group = Group(join: isExclusion ? .none : .any)
            parts = rules
        default:
            guard isExclusion else { return nil }
            group = Group(join: .none)
            parts = [inner]
        }
        for part in parts {
            if let row = attributeRow(part) {
                group.attributes.append(row)
            } else if let row = eventRow(part) {
                group.events.append(row)
            } else {
                group.written.append(SegmentWriter.text(part))
            }
        }
        return group.attributes.isEmpty && group.events.isEmpty ? nil : group
    }

    /// The row that is exactly equivalent, if there is one.
    private static func attributeRow(_ rule: SegmentRule) -> AttributeRow? {
        // A value that may be a text or a number is tested as both.
        let first: SegmentRule? =
            switch rule {
            case .any(let rules), .all(let rules): rules.first
            case .not(let inner): inner
            default: rule
            }
        guard case .condition(let condition) = first, let (name, test) = tested(condition) else {
            return nil
        }
        return comparisons(test, in: rule).lazy
            .map { AttributeRow(name: name, test: $0, value: $1) }
            .first { says(try? text(of: $0), rule) }
    }

    private static func tested(_ condition: SegmentCondition) -> (String, ValueTest)? {
        switch condition {
        case .attribute(let reference, let test): return name(of: reference).map { ($0, test) }
        case .device(.field(let field, let test)): return (devicePrefix + field.rawValue, test)
        default: return nil
        }
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
            case .equal(let literal) = property.test
        {
            row.property = key
            row.value = plain(literal)
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

    /// What a row could say of a test, with the plainest first.
    private static func comparisons(
        _ test: ValueTest,
        in rule: SegmentRule
    ) -> [(Test, String)] {
        switch test {
        case .equal(.bool(let bool)):
            [(bool ? .isTrue : .isFalse, ""), (.isEqual, plain(.bool(bool)))]
        case .equal(let literal): [(.isEqual, plain(literal))]
        case .notEqual(let literal): [(.isNot, plain(literal))]
        case .oneOf(let literals): [(.oneOf, plain(literals))]
        case .noneOf(let literals): [(.noneOf, plain(literals))]
        case .contains(let literal): [(.contains, plain(literal))]
        case .containsNone(let literals): [(.containsNot, plain(literals))]
        case .containsAny(let literals): [(.containsAny, plain(literals))]
        case .containsAll(let literals): [(.containsAll, plain(literals))]
        case .startsWith(let text): [(.begins, text)]
        case .endsWith(let text): [(.ends, text)]
        case .empty: [(.empty, "")]
        case .exists: [(.exists, "")]
        case .missing: [(.missing, "")]
        case .onThisDay: [(.anniversary, "")]
        case .number(let comparison, let number):
            ordering(comparison).map { [($0, SegmentWriter.text(number))] } ?? []
        case .integer(let comparison, let number):
            ordering(comparison).map { [($0, String(number))] } ?? []
        case .version(let comparison, let version):
            versionOrdering(comparison).map { [($0, version)] } ?? []
        case .time(let comparison, let moment): times(comparison, moment, in: rule)
        default: []
        }
    }

    private static func times(
        _ comparison: Comparison,
        _ moment: TimePoint,
        in rule: SegmentRule
    ) -> [(Test, String)] {
        if case .all(let rules) = rule, case .condition(let last)? = rules.last,
            case .time(_, .now(let offset))? = tested(last)?.1
        {
            return [(.ahead, String(offset / 86_400))]
        }
        if case .now(let offset) = moment {
            return [(comparison == .less ? .older : .within, String(-offset / 86_400))]
        }
        let text = SegmentWriter.text(moment)
        if comparison == .equal { return [(.onDay, text), (.isNot, text)] }
        return ordering(comparison).map { [($0, text)] } ?? []
    }

    private static func ordering(_ comparison: Comparison) -> Test? {
        switch comparison {
        case .greaterOrEqual: .atLeast
        case .greater: .above
        case .lessOrEqual: .atMost
        case .less: .below
        case .equal, .notEqual: nil
        }
    }

    private static func versionOrdering(_ comparison: Comparison) -> Test? {
        switch comparison {
        case .greaterOrEqual: .versionAtLeast
        case .greater: .versionAbove
        case .lessOrEqual: .versionAtMost
        case .less: .versionBelow
        case .equal, .notEqual: nil
        }
    }

    private static func plain(_ literal: ScalarLiteral) -> String {
        if case .string(let text) = literal { return text }
        return SegmentWriter.text(literal)
    }

    /// As typed: what stands for a number and for a text is there once.
    private static func plain(_ literals: [ScalarLiteral]) -> String {
        var texts: [String] = []
        for text in literals.map(plain) where !texts.contains(text) { texts.append(text) }
        return texts.joined(separator: ", ")
    }

    private static func says(_ text: String?, _ rule: SegmentRule) -> Bool {
        guard let text, let located = try? SegmentParser.parse(text) else { return false }
        return located.rule == rule
    }
}
