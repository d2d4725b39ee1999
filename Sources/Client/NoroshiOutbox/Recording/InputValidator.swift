import Foundation
import NoroshiWire

/// The limits of names, values and sizes. They are checked when data is recorded, so that the
/// developer learns of a mistake immediately and the server never has to reject it.
enum InputValidator {
    static let nameLengthMaximum = 255
    static let stringLengthMaximum = 255
    static let externalIDBytesMaximum = 512
    static let eventBytesMaximum = 100 * 1024
    static let objectBytesMaximum = 100 * 1024
    static let purchaseQuantityMaximum = 100
    static let reservedPropertyNames: Set<String> = ["time", "event_name"]

    /// Profile fields with dedicated setters.
    static let standardFields: Set<String> = [
        "country", "current_location", "date_of_first_session", "date_of_last_session", "dob",
        "email", "email_subscribe", "external_id", "user_alias", "braze_id", "first_name",
        "gender", "home_city", "language", "last_name", "phone", "push_subscribe", "push_tokens",
        "subscription_groups", "time_zone", "_merge_objects", "_update_existing_only",
    ]

    /// Validates the name of an event, product or attribute.
    static func check(name: String, field: String) throws(NoroshiError) {
        guard !name.isEmpty else { throw invalid(field, "it is empty") }
        guard name.count <= nameLengthMaximum else {
            throw invalid(
                field,
                "it has \(name.count) characters; at most \(nameLengthMaximum) are allowed"
            )
        }
        guard !name.hasPrefix("$") else { throw invalid(field, "\(name) begins with $") }
    }

    /// Validates the properties of an event or a purchase.
    static func check(properties: [String: JSONValue]) throws(NoroshiError) {
        for (name, value) in properties {
            try check(name: name, field: "properties")
            guard !reservedPropertyNames.contains(name) else {
                throw invalid("properties.\(name)", "the name is reserved; choose another one")
            }
            try check(value: value, field: "properties.\(name)")
        }
        try check(size: .object(properties), field: "properties", maximum: eventBytesMaximum)
    }

    /// Validates the key of a custom attribute.
    static func check(attributeKey key: String) throws(NoroshiError) {
        try check(name: key, field: "key")
        guard !standardFields.contains(key) else {
            throw invalid("key", "\(key) is a standard field with a setter of its own on the user")
        }
    }

    /// Validates a value with its contents.
    static func check(value: JSONValue, field: String) throws(NoroshiError) {
        switch value {
        case .string(let text):
            guard text.count <= stringLengthMaximum else {
                throw invalid(
                    field,
                    "the text has \(text.count) characters; at most \(stringLengthMaximum) are "
                        + "allowed"
                )
            }
        case .number(let number):
            guard number.isFinite else { throw invalid(field, "the number is not finite") }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try check(value: element, field: "\(field)[\(index)]")
            }
        case .object(let members):
            for (key, member) in members {
                guard !key.isEmpty, key.count <= nameLengthMaximum else {
                    throw invalid(field, "a key has 1 to \(nameLengthMaximum) characters")
                }
                try check(value: member, field: "\(field).\(key)")
            }
        case .null, .bool, .integer:
            break
        }
    }

    /// Validates the size of a value as JSON.
    static func check(
        size value: JSONValue,
        field: String,
        maximum: Int
    ) throws(NoroshiError) {
        let count = (try? JSONEncoder().encode(value).count) ?? Int.max
        guard count <= maximum else {
            throw invalid(field, "it has \(count) bytes as JSON; at most \(maximum) are allowed")
        }
    }

    static func invalid(_ field: String, _ message: String) -> NoroshiError {
        NoroshiError(code: .invalidInput, field: field, message: message)
    }
}
