import Foundation
import Model
import Reasons
import WebPages

/// Conditions composed from choices: on attributes (ユーザー属性プッシュ通知) or on activity (コンタクト履歴プッシュ通知).
/// They are converted to text in the segment language.
struct ConditionForm: Hashable {
    /// A comparison of an attribute.
    enum Test: String, CaseIterable {
        case isEqual = "is"
        case isNot = "is_not"
        case contains
        case begins
        case atLeast = "at_least"
        case atMost = "at_most"
        case within
        case exists
        case missing

        var needsValue: Bool { self != .exists && self != .missing }
    }

    struct AttributeRow: Hashable {
        var name: String
        var test: Test
        var value: String

        var isBlank: Bool { name.isEmpty && value.isEmpty }
        var isComplete: Bool { !name.isEmpty && (!test.needsValue || !value.isEmpty) }
    }

    struct EventRow: Hashable {
        var name: String
        var property: String
        var value: String
        var isDone: Bool
        /// Minimum number of occurrences; empty for one.
        var count: String
        /// Number of days to look back; empty for no limit.
        var days: String

        var isBlank: Bool { name.isEmpty && property.isEmpty && value.isEmpty }
        var isComplete: Bool { !name.isEmpty && property.isEmpty == value.isEmpty }
    }

    /// The attributes that every user can have.
    static let standardAttributes = [
        "first_name", "last_name", "email", "phone", "gender", "country", "language", "home_city",
        "time_zone", "age", "session_count", "created_at", "first_session_at", "last_session_at",
    ]

    var attributes: [AttributeRow]
    var events: [EventRow]
    /// Conditions that no row can express, in the segment language.
    var written: [String]
    /// Whether one condition is enough.
    var isAny: Bool

    init(fields: FormFields) {
        let names = fields.all("attributeName")
        let tests = fields.all("attributeTest")
        let values = fields.all("attributeValue")
        attributes = zip(names, zip(tests, values)).map { name, rest in
            AttributeRow(
                name: name.trimmingCharacters(in: .whitespaces),
                test: Test(rawValue: rest.0) ?? .isEqual,
                value: rest.1.trimmingCharacters(in: .whitespaces)
            )
        }
        .filter { !$0.isBlank }
        let columns = ["eventProperty", "eventValue", "eventDone", "eventCount", "eventDays"]
            .map { fields.all($0) }
        events = fields.all("eventName").enumerated().map { index, name in
            func column(_ number: Int) -> String {
                guard columns[number].indices.contains(index) else { return "" }
                return columns[number][index].trimmingCharacters(in: .whitespaces)
            }
            return EventRow(
                name: name.trimmingCharacters(in: .whitespaces),
                property: column(0),
                value: column(1),
                isDone: column(2) != "not",
                count: column(3),
                days: column(4)
            )
        }
        .filter { !$0.isBlank }
        written = fields.all("written").filter { !$0.isEmpty }
        isAny = fields["conditionJoin"] == "any"
    }

    init() {
        attributes = []
        events = []
        written = []
        isAny = false
    }

    var fields: [(name: String, value: String)] {
        var fields = [(name: "conditionJoin", value: isAny ? "any" : "all")]
        for row in attributes {
            fields += [
                ("attributeName", row.name), ("attributeTest", row.test.rawValue),
                ("attributeValue", row.value),
            ]
        }
        for row in events {
            fields += [
                ("eventName", row.name), ("eventProperty", row.property),
                ("eventValue", row.value), ("eventDone", row.isDone ? "done" : "not"),
                ("eventCount", row.count), ("eventDays", row.days),
            ]
        }
        return fields + written.map { (name: "written", value: $0) }
    }

    // MARK: The condition

    private static func fault(_ code: FieldReason, _ name: String? = nil) -> FieldProblem {
        FieldProblem(.segment(.condition), code, name.map { ["name": .text($0)] } ?? [:])
    }

    /// The condition on attributes; empty without rows.
    func attributeCondition() throws(FieldProblem) -> String {
        var parts: [String] = []
        for row in attributes { parts.append(try Self.text(of: row)) }
        return joined(parts)
    }

    /// The condition on activity; empty without rows.
    func eventCondition() throws(FieldProblem) -> String {
        var parts: [String] = []
        for row in events { parts.append(try Self.text(of: row)) }
        return joined(parts)
    }

    /// The condition of all completed rows; empty without rows.
    func condition() throws(FieldProblem) -> String {
        var parts: [String] = []
        for row in attributes where row.isComplete { parts.append(try Self.text(of: row)) }
        for row in events where row.isComplete { parts.append(try Self.text(of: row)) }
        return joined(parts + written)
    }

    private func joined(_ parts: [String]) -> String {
        parts.count == 1
            ? parts[0] : parts.map { "(\($0))" }.joined(separator: isAny ? " or " : " and ")
    }

    static func text(of row: AttributeRow) throws(FieldProblem) -> String {
        guard !row.name.isEmpty else { throw fault(.rowAttribute, row.value) }
        guard !row.test.needsValue || !row.value.isEmpty else {
            throw fault(.rowValue, row.name)
        }
        let name = reference(row.name)
        let value = quoted(row.value)
        switch row.test {
        case .isEqual:
            return alternatives(of: row.value).map { "\(name) = \($0)" }
                .joined(separator: " or ")
        case .isNot:
            return alternatives(of: row.value).map { "\(name) != \($0)" }
                .joined(separator: " and ")
        case .contains: return "\(name) contains \(value)"
        case .begins: return "\(name) starts with \(value)"
        case .exists: return "\(name) exists"
        case .missing: return "\(name) not exists"
        case .atLeast, .atMost:
            let sign = row.test == .atLeast ? ">=" : "<="
            guard isNumber(row.value) || isDay(row.value) else {
                throw fault(.rowNumberOrDay, row.name)
            }
            return "\(name) \(sign) \(row.value)"
        case .within:
            guard let days = Int(row.value), (1...3650).contains(days) else {
                throw fault(.rowDays, row.name)
            }
            return "\(name) >= now - \(days) days"
        }
    }

    static func text(of row: EventRow) throws(FieldProblem) -> String {
        guard !row.name.isEmpty else { throw fault(.rowEvent) }
        var text = "event \(quoted(row.name))"
        if !row.property.isEmpty {
            guard !row.value.isEmpty, let value = alternatives(of: row.value).first else {
                throw fault(.rowValue, row.property)
            }
            text += " with (\(quoted(row.property)) = \(value))"
        }
        if row.isDone, !row.count.isEmpty {
            guard let count = Int(row.count), (1...1_000_000).contains(count) else {
                throw fault(.rowCount, row.name)
            }
            text += count == 1 ? " done" : " count >= \(count)"
        } else {
            text += row.isDone ? " done" : " not done"
        }
        guard !row.days.isEmpty else { return text }
        guard let days = Int(row.days), (1...3650).contains(days) else {
            throw fault(.rowDays, row.name)
        }
        return text + " in last \(days) days"
    }

    /// A typed value may be stored as a text, a number or a Boolean.
    private static func alternatives(of value: String) -> [String] {
        let isOther = isNumber(value) || value == "true" || value == "false"
        return isOther ? [value, quoted(value)] : [quoted(value)]
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.first == "-" ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }
    }

    /// Whether the text has the form of a day such as `2026-01-31`; the segment language checks
    /// whether it exists.
    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [4, 2, 2]
            && parts.allSatisfy { $0.allSatisfy { ("0"..."9").contains($0) } }
    }

    private static func reference(_ name: String) -> String {
        standardAttributes.contains(name) ? name : "custom.\(quoted(name))"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
