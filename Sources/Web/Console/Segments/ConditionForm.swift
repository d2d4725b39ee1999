import Foundation
import Model
import Reasons
import Segments
import WebPages

/// Conditions composed from choices: on attributes (ユーザー属性プッシュ通知) or on activity (コンタクト履歴プッシュ通知).
/// They are converted to text in the segment language.
struct ConditionForm: Hashable {
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

    /// Rows of which all, any or none must hold, as one condition beside the other rows.
    struct Group: Hashable {
        enum Join: String, CaseIterable {
            case all, any, none
            case notAll = "not_all"

            var isAny: Bool { self == .any || self == .none }
            var isExclusion: Bool { self == .none || self == .notAll }
        }

        var join: Join
        var attributes: [AttributeRow] = []
        var events: [EventRow] = []
        /// Conditions that no row can express, in the segment language.
        var written: [String] = []

        var isBlank: Bool { attributes.isEmpty && events.isEmpty && written.isEmpty }
    }

    /// Maximum number of groups that are read from a form.
    private static let groupLimit = 100
    static let devicePrefix = "device."

    /// The attributes that every user can have, and those of devices, the most used first.
    static let standardAttributes: [String] = {
        let first: [Segments.StandardAttribute] = [
            .firstName, .lastName, .email, .phone, .gender, .country, .language, .homeCity,
            .timeZone, .age, .dateOfBirth, .sessionCount, .createdAt, .firstSessionAt,
            .lastSessionAt,
        ]
        let rest = Segments.StandardAttribute.allCases.filter { !first.contains($0) }
        return (first + rest).map(\.rawValue)
            + DeviceField.allCases.map { devicePrefix + $0.rawValue }
    }()

    var attributes: [AttributeRow]
    var events: [EventRow]
    var groups: [Group]
    /// Conditions that no row can express, in the segment language.
    var written: [String]
    /// Whether one condition is enough.
    var isAny: Bool

    init(fields: FormFields) {
        attributes = Self.attributes(fields, "")
        events = Self.events(fields, "")
        written = fields.all("written").filter { !$0.isEmpty }
        isAny = fields["conditionJoin"] == "any"
        groups = Self.groupNumbers(fields).compactMap { number in
            let prefix = Self.prefix(ofGroup: number)
            let group = Group(
                join: Group.Join(rawValue: fields[prefix + "join"]) ?? .all,
                attributes: Self.attributes(fields, prefix),
                events: Self.events(fields, prefix),
                written: fields.all(prefix + "written").filter { !$0.isEmpty }
            )
            return group.isBlank ? nil : group
        }
    }

    init() {
        attributes = []
        events = []
        groups = []
        written = []
        isAny = false
    }

    /// What the names of the fields of a group begin with.
    static func prefix(ofGroup number: Int) -> String { "group\(number)." }

    private static func groupNumbers(_ fields: FormFields) -> [Int] {
        let numbers = fields.entries.compactMap { name, _ -> Int? in
            guard name.hasPrefix("group"), name.hasSuffix(".join") else { return nil }
            return Int(name.dropFirst("group".count).dropLast(".join".count))
        }
        return Set(numbers).sorted().prefix(groupLimit).map { $0 }
    }

    private static func attributes(_ fields: FormFields, _ prefix: String) -> [AttributeRow] {
        let names = fields.all(prefix + "attributeName")
        let tests = fields.all(prefix + "attributeTest")
        let values = fields.all(prefix + "attributeValue")
        return zip(names, zip(tests, values)).map { name, rest in
            AttributeRow(
                name: name.trimmingCharacters(in: .whitespaces),
                test: Test(rawValue: rest.0) ?? .isEqual,
                value: rest.1.trimmingCharacters(in: .whitespaces)
            )
        }
        .filter { !$0.isBlank }
    }

    private static func events(_ fields: FormFields, _ prefix: String) -> [EventRow] {
        let columns = ["eventProperty", "eventValue", "eventDone", "eventCount", "eventDays"]
            .map { fields.all(prefix + $0) }
        return fields.all(prefix + "eventName").enumerated().map { index, name in
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
    }
}
