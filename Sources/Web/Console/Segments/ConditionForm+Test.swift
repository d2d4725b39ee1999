import Audience
import Segments

extension ConditionForm {
    /// A comparison of an attribute.
    enum Test: String, CaseIterable {
        case isEqual = "is"
        case isNot = "is_not"
        case oneOf = "one_of"
        case noneOf = "none_of"
        case contains
        case containsNot = "contains_not"
        case containsAny = "contains_any"
        case containsAll = "contains_all"
        case begins
        case ends
        case atLeast = "at_least"
        case above
        case atMost = "at_most"
        case below
        case within
        case older
        case ahead
        case onDay = "on"
        case anniversary
        case isTrue = "true"
        case isFalse = "false"
        case versionAtLeast = "version_at_least"
        case versionAbove = "version_above"
        case versionAtMost = "version_at_most"
        case versionBelow = "version_below"
        case empty
        case exists
        case missing

        /// What is typed beside it.
        enum Input: String {
            case none, text, number, days, day, list
        }

        /// - Parameter kind: The values of the attribute; `nil` if that is unknown.
        func input(_ kind: AttributeKind?) -> Input {
            switch self {
            case .exists, .missing, .empty, .isTrue, .isFalse, .anniversary: .none
            case .within, .older, .ahead: .days
            case .onDay: .day
            case .oneOf, .noneOf, .containsAny, .containsAll: .list
            case .atLeast, .above, .atMost, .below: kind == .date ? .day : .number
            default: kind == .number ? .number : .text
            }
        }

        var needsValue: Bool { input(nil) != .none }
    }

    /// The comparisons of a kind of value.
    static func tests(of kind: AttributeKind) -> [Test] {
        switch kind {
        case .text:
            [
                .isEqual, .isNot, .oneOf, .noneOf, .contains, .containsNot, .begins, .ends, .empty,
                .exists, .missing,
            ]
        case .number:
            [.isEqual, .isNot, .atLeast, .above, .atMost, .below, .oneOf, .exists, .missing]
        case .date:
            [
                .within, .older, .ahead, .onDay, .atLeast, .atMost, .above, .below, .anniversary,
                .exists, .missing,
            ]
        case .boolean: [.isTrue, .isFalse, .exists, .missing]
        case .list:
            [.contains, .containsNot, .containsAny, .containsAll, .empty, .exists, .missing]
        case .version:
            [
                .versionAtLeast, .versionAbove, .versionAtMost, .versionBelow, .isEqual, .isNot,
                .exists, .missing,
            ]
        }
    }

    /// The kind of a standard attribute or of a field of devices; `nil` for other names.
    static func kind(of name: String) -> AttributeKind? {
        if let attribute = StandardAttribute(rawValue: name) { return AttributeKind(attribute) }
        return device(name).map(AttributeKind.init)
    }

    static func device(_ name: String) -> DeviceField? {
        guard name.hasPrefix(devicePrefix) else { return nil }
        return DeviceField(rawValue: String(name.dropFirst(devicePrefix.count)))
    }
}

extension ConditionForm.Test {
    /// Its words beside a value of this kind.
    func wordKey(_ kind: AttributeKind) -> String {
        guard kind == .date else { return wordKey }
        return switch self {
        case .atLeast: "condition.day_from"
        case .atMost: "condition.day_until"
        case .above: "condition.day_after"
        case .below: "condition.day_before"
        default: wordKey
        }
    }

    private var wordKey: String {
        switch self {
        case .isEqual: "condition.is"
        case .isNot: "condition.is_not"
        case .oneOf: "condition.one_of"
        case .noneOf: "condition.none_of"
        case .contains: "condition.contains"
        case .containsNot: "condition.contains_not"
        case .containsAny: "condition.contains_any"
        case .containsAll: "condition.contains_all"
        case .begins: "condition.begins"
        case .ends: "condition.ends"
        case .atLeast: "condition.at_least"
        case .above: "condition.above"
        case .atMost: "condition.at_most"
        case .below: "condition.below"
        case .within: "condition.within"
        case .older: "condition.older"
        case .ahead: "condition.ahead"
        case .onDay: "condition.on_day"
        case .anniversary: "condition.anniversary"
        case .isTrue: "condition.is_true"
        case .isFalse: "condition.is_false"
        case .versionAtLeast: "condition.version_at_least"
        case .versionAbove: "condition.version_above"
        case .versionAtMost: "condition.version_at_most"
        case .versionBelow: "condition.version_below"
        case .empty: "condition.empty"
        case .exists: "condition.exists"
        case .missing: "condition.missing"
        }
    }

    /// What is said after its value.
    var unitKey: String? {
        switch self {
        case .within: "condition.within_unit"
        case .older: "condition.older_unit"
        case .ahead: "condition.ahead_unit"
        default: nil
        }
    }
}

extension AttributeKind {
    var wordKey: String {
        switch self {
        case .text: "condition.kind_text"
        case .number: "condition.kind_number"
        case .date: "condition.kind_date"
        case .boolean: "condition.kind_boolean"
        case .list: "condition.kind_list"
        case .version: "condition.kind_version"
        }
    }
}

extension ConditionForm.Group.Join {
    var wordKey: String {
        switch self {
        case .all: "condition.group_all"
        case .any: "condition.group_any"
        case .none: "condition.group_none"
        case .notAll: "condition.group_not_all"
        }
    }
}
