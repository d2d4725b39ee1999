import Foundation
import JSON
import Model
import NoroshiWire
import Reasons

/// Reads the identifier of a user in a REST object.
package enum UserIdentifier {
    /// The first of `external_id`, `user_alias`, `braze_id`, `email`, `phone` that is present.
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
            return .external(try externalID(value, "external_id"))
        }
        if let value = member("user_alias"), value != .null { return try alias(value) }
        if let value = member("braze_id"), value != .null {
            guard let id = value.stringValue.flatMap(UUID.init(uuidString:)) else {
                throw FieldProblem("braze_id", .exportedID)
            }
            return .profile(id)
        }
        if let value = member("email"), value != .null {
            guard let address = value.stringValue, ContactRule.isEmailAddress(address) else {
                throw FieldProblem("email", .noAddress)
            }
            return .email(address)
        }
        if let value = member("phone"), value != .null {
            guard let number = value.stringValue, ContactRule.isPhoneNumber(number) else {
                throw FieldProblem("phone", .noPhone)
            }
            return .phone(number)
        }
        throw FieldProblem(
            "external_id",
            .nameTheUser,
            ["known": "external_id, user_alias, braze_id, email or phone"]
        )
    }

    /// The app's own identifier of a user: a text, or a whole number, which some clients send, as
    /// its digits.
    package static func externalID(
        _ value: JSONValue,
        _ field: String
    ) throws(FieldProblem) -> String {
        guard let id = name(value) else {
            throw FieldProblem(field, .mustBeStringOrNumber)
        }
        do {
            try FieldValidator.externalID(id)
        } catch {
            throw FieldProblem(.request(field), error.reason)
        }
        return id
    }

    /// A name unchanged, or a whole number as its digits.
    package static func name(_ value: JSONValue) -> String? {
        if case .integer(let number) = value { String(number) } else { value.stringValue }
    }

    /// An object with `alias_name` and `alias_label`.
    package static func alias(_ value: JSONValue) throws(FieldProblem) -> UserReference {
        guard let name = value["alias_name"]?.stringValue,
            let label = value["alias_label"]?.stringValue
        else {
            throw FieldProblem("user_alias", .aliasParts)
        }
        try FieldValidator.alias(name: name, label: label)
        return .alias(name: name, label: label)
    }
}
