import Foundation
import Model
import NoroshiWire
import WebPages

/// The raw fields of the form for a user's attributes.
///
/// What was shown travels with the form, so that only what was changed is written, and only where
/// nothing else has changed it since.
struct UserForm {
    /// How the value of a custom attribute is written.
    enum Kind: String, CaseIterable {
        case text, number, yes, no, time, list, json

        var wordKey: String {
            switch self {
            case .text: "users.kind_text"
            case .number: "users.kind_number"
            case .yes: "users.kind_yes"
            case .no: "users.kind_no"
            case .time: "users.kind_time"
            case .list: "users.kind_list"
            case .json: "users.kind_json"
            }
        }

        /// What is said of a text that is no value of the kind.
        var faultKey: String {
            switch self {
            case .number: "users.fault.not_a_number"
            case .time: "users.fault.not_a_time"
            default: "users.fault.not_a_json"
            }
        }
    }

    struct Row {
        var name: String
        var kind: Kind
        var value: String
    }

    /// The standard attributes that people write; the others are noted by the server and by SDKs.
    static let standardAttributes: [StandardAttribute] = [
        .firstName, .lastName, .email, .phone, .gender, .dateOfBirth, .language, .country,
        .homeCity, .timeZone, .imageURL, .pushSubscription, .emailSubscription,
    ]

    var standard: [StandardAttribute: String] = [:]
    var rows: [Row] = []
    /// What was shown, as a JSON object by name.
    var basis: String

    init(_ profile: Profile) {
        for attribute in Self.standardAttributes {
            standard[attribute] = profile.standard[attribute]?.shownText ?? ""
        }
        rows = profile.custom.sorted { $0.key < $1.key }.map { Row($0.key, of: $0.value) }
        basis = JSONValue.object(Self.shown(profile)).shownText
    }

    init(fields: FormFields) {
        for attribute in Self.standardAttributes {
            standard[attribute] = fields.trimmed(Self.field(attribute))
        }
        let names = fields.all("name")
        let kinds = fields.all("kind")
        let values = fields.all("value")
        rows = names.indices.map { index in
            Row(
                name: names[index].trimmingCharacters(in: .whitespacesAndNewlines),
                kind: kinds.indices.contains(index) ? Kind(rawValue: kinds[index]) ?? .text : .text,
                value: values.indices.contains(index) ? values[index] : ""
            )
        }
        basis = fields["basis"]
    }

    static func field(_ attribute: StandardAttribute) -> String { attribute.rawValue }

    static func field(row index: Int) -> String { "attribute-\(index + 1)" }

    /// The attributes of which the form shows something.
    private static func shown(_ profile: Profile) -> [String: JSONValue] {
        let standard = profile.standard.filter { standardAttributes.contains($0.key) }
            .map { ($0.key.rawValue, $0.value) }
        return profile.custom.merging(standard) { _, standard in standard }
    }

    /// What to change, and what the values were.
    struct Changes {
        var values: [String: JSONValue] = [:]
        var basis: [String: JSONValue] = [:]
    }

    /// The changes that the form makes of what was shown.
    ///
    /// - Throws: ``FormError`` with every field that has to be changed first.
    func changes(of profile: Profile, _ context: ConsoleContext) throws(FormError) -> Changes {
        var check = FormValidator(context: context)
        let before =
            (try? JSONDecoder().decode([String: JSONValue].self, from: Data(basis.utf8)))
            ?? Self.shown(profile)
        var wanted: [String: (value: JSONValue, field: String)] = [:]
        for attribute in Self.standardAttributes {
            let text = standard[attribute] ?? ""
            let shown = before[attribute.rawValue] ?? .null
            // An unchanged text is the value that it was made of.
            let value: JSONValue =
                text == shown.shownText ? shown : text.isEmpty ? .null : .string(text)
            wanted[attribute.rawValue] = (value, Self.field(attribute))
        }
        for (index, row) in rows.enumerated() where !row.name.isEmpty || !row.value.isEmpty {
            let field = Self.field(row: index)
            if row.name.isEmpty {
                check.fault(field, "users.fault.no_name")
            } else if StandardAttribute(rawValue: row.name) != nil {
                check.fault(field, "users.fault.standard_name", ["name": row.name])
            } else if wanted[row.name] != nil {
                check.fault(field, "users.fault.twice", ["name": row.name])
            } else if let value = row.value(of: before[row.name]) {
                wanted[row.name] = (value, field)
            } else {
                check.fault(field, row.kind.faultKey)
            }
        }
        var changes = Changes()
        let names = Set(wanted.keys).union(before.keys)
        for name in names {
            let shown = before[name] ?? .null
            let value = wanted[name]?.value ?? .null
            guard value != shown else { continue }
            let stored = profile[attribute: name]
            // What was shown has been through JSON, which writes 1.0 as 1.
            guard stored.shownText == shown.shownText else {
                check.fault(
                    wanted[name]?.field ?? "",
                    "users.fault.changed_meanwhile",
                    ["name": UserPage.label(of: name, context.words), "value": stored.shownText]
                )
                continue
            }
            changes.values[name] = value
            changes.basis[name] = stored
        }
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
        return changes
    }

    /// The form's field for an attribute; empty for one that the form no longer has.
    func field(of attribute: String) -> String {
        if let standard = StandardAttribute(rawValue: attribute) { return Self.field(standard) }
        return rows.firstIndex { $0.name == attribute }.map(Self.field(row:)) ?? ""
    }
}

extension UserForm.Row {
    init(_ name: String, of value: JSONValue) {
        self.name = name
        switch value {
        case .bool(let flag):
            (kind, self.value) = (flag ? .yes : .no, "")
        case .integer, .number:
            (kind, self.value) = (.number, value.shownText)
        case .string(let text):
            (kind, self.value) = (Timestamp.parse(text) == nil ? .text : .time, text)
        case .array(let elements) where elements.allSatisfy(Self.isPlain):
            kind = .list
            self.value = elements.map(\.shownText).joined(separator: ", ")
        case .array, .object, .null:
            (kind, self.value) = (.json, value.shownText)
        }
    }

    /// Whether an element of a list can stand between commas.
    private static func isPlain(_ element: JSONValue) -> Bool {
        guard case .string(let text) = element else { return false }
        return !text.isEmpty && !text.contains { ",、，".contains($0) }
            && text == text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The value that is written; `nil` if it is none of its kind.
    ///
    /// - Parameter shown: The value that was shown; it stays if its text does.
    func value(of shown: JSONValue?) -> JSONValue? {
        if let shown {
            let row = UserForm.Row(name, of: shown)
            if row.kind == kind, row.value == value { return shown }
        }
        let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
        switch kind {
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .text: return .string(text)
        case .time: return Timestamp.parse(text).map { _ in .string(text) }
        case .list:
            return .array(
                text.split(whereSeparator: { ",、，".contains($0) })
                    .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                    .map(JSONValue.string)
            )
        case .number:
            let number = Self.json(text)
            return number?.doubleValue == nil ? nil : number
        case .json:
            return Self.json(text)
        }
    }

    private static func json(_ text: String) -> JSONValue? {
        let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        return value == .null ? nil : value
    }
}
