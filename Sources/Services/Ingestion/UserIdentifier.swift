import Foundation
import Model
import NoroshiWire

/// Reads the identifier of a user in a REST object.
package enum UserIdentifier {
    /// The first of `external_id`, `user_alias`, `braze_id`, `email`, `phone` that is there.
    package static func read(_ object: [String: JSONValue]) throws(FieldProblem) -> UserReference {
        if let value = object["external_id"], value != .null {
            guard let id = value.stringValue else {
                throw FieldProblem("external_id", "must be a string")
            }
            try FieldRule.externalID(id)
            return .external(id)
        }
        if let value = object["user_alias"], value != .null { return try alias(value) }
        if let value = object["braze_id"], value != .null {
            guard let id = value.stringValue.flatMap(UUID.init(uuidString:)) else {
                throw FieldProblem("braze_id", "is the identifier that an export shows, a UUID")
            }
            return .profile(id)
        }
        if let address = object["email"]?.stringValue { return .email(address) }
        if let number = object["phone"]?.stringValue { return .phone(number) }
        throw FieldProblem(
            "external_id",
            "name the user by external_id, user_alias, braze_id, email or phone"
        )
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
