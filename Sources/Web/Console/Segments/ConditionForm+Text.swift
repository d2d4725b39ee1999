import Audience
import Foundation
import Model
import Reasons
import Segments

/// The condition that the rows say.
extension ConditionForm {
    private static let dayLimit = 1...3650

    private static func fault(_ code: FieldReason, _ name: String? = nil) -> FieldProblem {
        FieldProblem(.segment(.condition), code, name.map { ["name": .text($0)] } ?? [:])
    }

    /// The condition on attributes; empty without rows.
    func attributeCondition() throws(FieldProblem) -> String {
        var parts: [String] = []
        for row in attributes { parts.append(try Self.text(of: row)) }
        return Self.joined(parts, isAny: isAny)
    }

    /// The condition on activity; empty without rows.
    func eventCondition() throws(FieldProblem) -> String {
        var parts: [String] = []
        for row in events { parts.append(try Self.text(of: row)) }
        return Self.joined(parts, isAny: isAny)
    }

    /// The condition of all completed rows; empty without rows.
    func condition() throws(FieldProblem) -> String {
        var parts = try Self.texts(attributes, events)
        for group in groups {
            guard let text = try Self.text(of: group) else { continue }
            parts.append(text)
        }
        return Self.joined(parts + written, isAny: isAny)
    }

    private static func texts(
        _ attributes: [AttributeRow],
        _ events: [EventRow]
    ) throws(FieldProblem) -> [String] {
        var parts: [String] = []
        for row in attributes where row.isComplete { parts.append(try text(of: row)) }
        for row in events where row.isComplete { parts.append(try text(of: row)) }
        return parts
    }

    private static func joined(_ parts: [String], isAny: Bool) -> String {
        parts.count == 1
            ? parts[0] : parts.map { "(\($0))" }.joined(separator: isAny ? " or " : " and ")
    }

    /// `nil` for a group without completed rows.
    private static func text(of group: Group) throws(FieldProblem) -> String? {
        let parts = try texts(group.attributes, group.events) + group.written
        guard !parts.isEmpty else { return nil }
        let text = joined(parts, isAny: group.join.isAny)
        return group.join.isExclusion ? "not (\(text))" : text
    }

    static func text(of row: AttributeRow) throws(FieldProblem) -> String {
        guard !row.name.isEmpty else { throw fault(.rowAttribute, row.value) }
        guard !row.test.needsValue || !row.value.isEmpty else {
            throw fault(.rowValue, row.name)
        }
        let name = reference(row.name)
        switch row.test {
        case .isEqual, .isNot: return try equality(of: row, name)
        case .oneOf, .noneOf:
            var literals: [String] = []
            for value in try list(row) { literals += try alternatives(of: value, in: row.name) }
            let sign = row.test == .oneOf ? "in" : "not in"
            return "\(name) \(sign) (\(literals.joined(separator: ", ")))"
        case .contains: return "\(name) contains \(quoted(row.value))"
        case .containsNot: return "\(name) not contains \(quoted(row.value))"
        case .containsAny, .containsAll:
            let sign = row.test == .containsAny ? "any" : "all"
            let literals = try list(row).map(quoted).joined(separator: ", ")
            return "\(name) contains \(sign) (\(literals))"
        case .begins: return "\(name) starts with \(quoted(row.value))"
        case .ends: return "\(name) ends with \(quoted(row.value))"
        case .atLeast: return try ordered(row, ">=")
        case .above: return try ordered(row, ">")
        case .atMost: return try ordered(row, "<=")
        case .below: return try ordered(row, "<")
        case .within: return "\(name) >= now - \(try days(row.value, row.name)) days"
        case .older: return "\(name) < now - \(try days(row.value, row.name)) days"
        case .ahead:
            let days = try days(row.value, row.name)
            return "\(name) >= now and \(name) <= now + \(days) days"
        case .onDay:
            guard isDay(row.value) else { throw fault(.rowNumberOrDay, row.name) }
            return "\(name) = \(row.value)"
        case .anniversary: return "\(name) on today"
        case .isTrue: return "\(name) = true"
        case .isFalse: return "\(name) = false"
        case .versionAtLeast: return "\(name) >= \(quoted(row.value))"
        case .versionAbove: return "\(name) > \(quoted(row.value))"
        case .versionAtMost: return "\(name) <= \(quoted(row.value))"
        case .versionBelow: return "\(name) < \(quoted(row.value))"
        case .empty: return "\(name) is empty"
        case .exists: return "\(name) exists"
        case .missing: return "\(name) not exists"
        }
    }

    private static func equality(
        of row: AttributeRow,
        _ name: String
    ) throws(FieldProblem) -> String {
        if kind(of: row.name) == .date {
            // Times are compared with a day as a whole, and have no `!=`.
            guard isDay(row.value) else { throw fault(.rowNumberOrDay, row.name) }
            return "\(row.test == .isNot ? "not " : "")\(name) = \(row.value)"
        }
        let literals = try alternatives(of: row.value, in: row.name)
        return row.test == .isEqual
            ? literals.map { "\(name) = \($0)" }.joined(separator: " or ")
            : literals.map { "\(name) != \($0)" }.joined(separator: " and ")
    }

    private static func ordered(
        _ row: AttributeRow,
        _ sign: String
    ) throws(FieldProblem) -> String {
        guard isNumber(row.value) || isDay(row.value) else {
            throw fault(.rowNumberOrDay, row.name)
        }
        return "\(reference(row.name)) \(sign) \(row.value)"
    }

    private static func days(_ text: String, _ name: String) throws(FieldProblem) -> Int {
        guard let days = Int(text), dayLimit.contains(days) else { throw fault(.rowDays, name) }
        return days
    }

    static func text(of row: EventRow) throws(FieldProblem) -> String {
        guard !row.name.isEmpty else { throw fault(.rowEvent) }
        var text = "event \(quoted(row.name))"
        if !row.property.isEmpty {
            guard !row.value.isEmpty,
                let value = try alternatives(of: row.value, in: nil).first
            else {
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
        return text + " in last \(try days(row.days, row.name)) days"
    }

    // MARK: Values

    /// What a typed value can mean: in a custom attribute it may be stored as a text, a number or a
    /// Boolean.
    private static func alternatives(
        of value: String,
        in name: String?
    ) throws(FieldProblem) -> [String] {
        switch name.flatMap({ kind(of: $0) }) {
        case .number?:
            guard isNumber(value) else { throw fault(.rowNumberOrDay, name) }
            return [value]
        case .boolean?: return [value == "true" || value == "false" ? value : quoted(value)]
        case .text?, .version?, .list?, .date?: return [quoted(value)]
        case nil:
            let isOther = isNumber(value) || value == "true" || value == "false"
            return isOther ? [value, quoted(value)] : [quoted(value)]
        }
    }

    /// The values of a list, which are separated by commas, also Japanese ones.
    static func list(_ text: String) -> [String] {
        text.split(whereSeparator: { ",、，".contains($0) })
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func list(_ row: AttributeRow) throws(FieldProblem) -> [String] {
        let values = list(row.value)
        guard !values.isEmpty else { throw fault(.rowValue, row.name) }
        return values
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
