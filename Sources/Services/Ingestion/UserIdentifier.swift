import Foundation
import JSON
import Model
import NoroshiWire

/// Reads the identifier of a user in a REST object.
package enum UserIdentifier {
    /// The first of `external_id`, `user_alias`, `braze_id`, `email`, `phone` that is there.
    package static func read(_ object: [String: JSONValue]) throws(FieldProblem) -> UserReference {
        try read { object[$0] }
    }

    static func read(_ object: JSONNode) throws(FieldProblem) -> UserReference {
        try read { object[$0]?.value }
    }

    private static func read(
        _ member: (String) -> JSONValue?
    ) throws(FieldProblem) -> UserReference {
        if let value = member("external_id"), value != .null {
            guard let id = name(value) else {
                throw FieldProblem("external_id", "must be a string")
            }
            try FieldRule.externalID(id)
            return .external(id)
        }
        if let value = member("user_alias"), value != .null { return try alias(value) }
        if let value = member("braze_id"), value != .null {
            guard let id = value.stringValue.flatMap(UUID.init(uuidString:)) else {
                throw FieldProblem("braze_id", "is the identifier that an export shows, a UUID")
            }
            return .profile(id)
        }
        if let address = member("email")?.stringValue { return .email(address) }
        if let number = member("phone")?.stringValue { return .phone(number) }
        throw FieldProblem(
            "external_id",
            "name the user by external_id, user_alias, braze_id, email or phone"
        )
    }

    /// A name as it is, or a whole number as its digits: some clients send those.
    package static func name(_ value: JSONValue) -> String? {
        if case .integer(let number) = value { String(number) } else { value.stringValue }
    }

    /// An object with `alias_name` and `alias_label`.
    package static func alias(_ value: JSONValue) throws(FieldProblem) -> UserReference {
        guard let name = value["alias_name"]?.stringValue,
            let label = value["alias_label"]?.stringValue
        else {
            throw FieldProblem("user_alias", "needs alias_name and alias_label, both strings")
        }
        try FieldRule.alias(name: name, label: label)
        return .alias(name: name, label: label)
    }
}
