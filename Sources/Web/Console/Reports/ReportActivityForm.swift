import Foundation
import NoroshiWire
import WebPages

/// Something that users do, with a condition on one of its properties, as strings of a form.
struct ReportActivityForm: Hashable {
    enum Test: String, CaseIterable {
        case isEqual = "is"
        case isNot = "is_not"
        case contains
        case atLeast = "at_least"
        case atMost = "at_most"
        case exists
        case missing

        var needsValue: Bool { self != .exists && self != .missing }
    }

    /// `session`, `purchase`, or `event:` and a name; a product can follow `purchase:`.
    var choice: String
    var property = ""
    var test = Test.isEqual
    var value = ""

    init(_ choice: String) {
        self.choice = choice
    }

    /// - Parameter index: Which of several fields with these names.
    init(_ fields: FormFields, _ name: String, at index: Int = 0, usually choice: String = "") {
        func field(_ suffix: String) -> String? {
            let all = fields.all(name + suffix)
            return all.indices.contains(index)
                ? all[index].trimmingCharacters(in: .whitespaces) : nil
        }
        self.choice = field("") ?? choice
        property = field("Property") ?? ""
        test = Test(rawValue: field("Test") ?? "") ?? .isEqual
        value = field("Value") ?? ""
    }

    func fields(_ name: String) -> [(name: String, value: String)] {
        [
            (name, choice), (name + "Property", property), (name + "Test", test.rawValue),
            (name + "Value", value),
        ]
    }

    // MARK: The REST API's terms

    /// `nil` if nothing is chosen.
    var question: [String: JSONValue]? {
        guard var members = Self.subject(choice) else { return nil }
        if let condition { members["where"] = [condition] }
        return members
    }

    private static func subject(_ choice: String) -> [String: JSONValue]? {
        switch choice {
        case "session": return ["session": true]
        case "purchase": return ["purchase": []]
        case ReportForm.revenue: return ["revenue": []]
        case ReportForm.newUsers: return ["new_users": true]
        default:
            if choice.hasPrefix("purchase:") {
                return ["purchase": [.string(String(choice.dropFirst("purchase:".count)))]]
            }
            guard choice.hasPrefix("event:") else { return nil }
            let name = String(choice.dropFirst("event:".count))
            return name.isEmpty || name.hasPrefix("$") ? nil : ["event": .string(name)]
        }
    }

    /// An unfinished condition is none.
    private var condition: JSONValue? {
        guard !property.isEmpty, !test.needsValue || !value.isEmpty else { return nil }
        func condition(_ test: String, _ value: JSONValue?) -> JSONValue {
            var members: [String: JSONValue] = [
                "property": .string(property), "test": .string(test),
            ]
            members["value"] = value
            return .object(members)
        }
        // A typed value may be stored as a text, a number or a Boolean.
        let typed = Self.typed(value)
        switch test {
        case .isEqual:
            return typed.map { condition("one_of", [$0, .string(value)]) }
                ?? condition("equal", .string(value))
        case .isNot:
            return typed.map { condition("none_of", [$0, .string(value)]) }
                ?? condition("not_equal", .string(value))
        case .contains: return condition("contains", .string(value))
        case .atLeast, .atMost:
            guard let number = Double(value), number.isFinite else { return nil }
            return condition(test == .atLeast ? ">=" : "<=", .number(number))
        case .exists: return condition("exists", nil)
        case .missing: return condition("missing", nil)
        }
    }

    private static func typed(_ value: String) -> JSONValue? {
        switch value {
        case "true": true
        case "false": false
        default: Double(value).flatMap { $0.isFinite ? .number($0) : nil }
        }
    }

    /// The form of a question; what it cannot show is left out.
    init(question: JSONValue) {
        self.init("")
        if question["session"] == true {
            choice = "session"
        } else if question["new_users"] == true {
            choice = ReportForm.newUsers
        } else if question["revenue"] != nil {
            choice = ReportForm.revenue
        } else if let products = question["purchase"]?.arrayValue {
            choice = products.first?.stringValue.map { "purchase:" + $0 } ?? "purchase"
        } else if let event = question["event"]?.stringValue {
            choice = "event:" + event
        }
        guard let condition = question["where"]?.arrayValue?.first,
            let property = condition["property"]?.stringValue
        else { return }
        let value = condition["value"]
        let shown: (Test, String)? =
            switch condition["test"]?.stringValue {
            case "equal": (.isEqual, value?.stringValue ?? "")
            case "not_equal": (.isNot, value?.stringValue ?? "")
            case "one_of": (.isEqual, value?.arrayValue?.last?.stringValue ?? "")
            case "none_of": (.isNot, value?.arrayValue?.last?.stringValue ?? "")
            case "contains": (.contains, value?.stringValue ?? "")
            case ">=": (.atLeast, value.map(Self.text) ?? "")
            case "<=": (.atMost, value.map(Self.text) ?? "")
            case "exists": (.exists, "")
            case "missing": (.missing, "")
            default: nil
            }
        guard let shown else { return }
        (self.property, test, self.value) = (property, shown.0, shown.1)
    }

    private static func text(_ value: JSONValue) -> String {
        guard let number = value.doubleValue else { return "" }
        return Int64(exactly: number).map(String.init) ?? String(number)
    }
}

extension ReportActivityForm.Test {
    var wordKey: String {
        switch self {
        case .isEqual: "reports.test.is"
        case .isNot: "reports.test.is_not"
        case .contains: "reports.test.contains"
        case .atLeast: "reports.test.at_least"
        case .atMost: "reports.test.at_most"
        case .exists: "reports.test.exists"
        case .missing: "reports.test.missing"
        }
    }
}
