import Foundation
import Model
import NoroshiWire

/// A field that breaks a rule, and what to send instead.
package struct FieldProblem: Error, Sendable, Hashable {
    package var field: String
    package var message: String

    package init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }
}

/// The limits of names and values that clients send; the same for the SDK and the REST API.
enum FieldRule {
    /// Characters of a name: event, property, product, alias.
    static let nameLimit = 255
    static let externalIDLimit = 997
    /// Bytes of the properties of one event, as JSON.
    static let propertiesLimit = 102_400

    static func externalID(_ id: String) throws(FieldProblem) {
        guard !id.isEmpty, id.utf8.count <= externalIDLimit else {
            throw FieldProblem("external_id", "has 1 to \(externalIDLimit) bytes")
        }
    }

    static func eventName(_ name: String) throws(FieldProblem) {
        guard !name.isEmpty, name.count <= nameLimit, !name.hasPrefix("$") else {
            throw FieldProblem(
                "name",
                "has 1 to \(nameLimit) characters and does not begin with a dollar sign"
            )
        }
    }

    static func alias(name: String, label: String) throws(FieldProblem) {
        guard (1...nameLimit).contains(name.count), (1...nameLimit).contains(label.count) else {
            throw FieldProblem(
                "user_alias",
                "alias_name and alias_label have 1 to \(nameLimit) characters"
            )
        }
    }

    static func purchase(
        _ product: String,
        _ currency: String,
        _ quantity: Int
    ) throws(FieldProblem) {
        guard (1...nameLimit).contains(product.count) else {
            throw FieldProblem("product_id", "has 1 to \(nameLimit) characters")
        }
        guard currency.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw FieldProblem("currency", "send the three letters of ISO 4217, such as JPY")
        }
        guard (1...100).contains(quantity) else {
            throw FieldProblem("quantity", "is a whole number from 1 to 100")
        }
    }

    static func properties(_ properties: [String: JSONValue]) throws(FieldProblem) {
        var bytes = 0
        for (name, value) in properties {
            guard !name.isEmpty, name.count <= nameLimit, !name.hasPrefix("$") else {
                throw FieldProblem(
                    "properties",
                    "'\(name.prefix(40))' is no name: 1 to \(nameLimit) characters, no dollar sign "
                        + "at the beginning"
                )
            }
            guard name != "time", name != "event_name" else {
                throw FieldProblem("properties", "'\(name)' is reserved; choose another name")
            }
            bytes += name.utf8.count + size(value)
        }
        guard bytes <= propertiesLimit else {
            throw FieldProblem("properties", "are larger than \(propertiesLimit) bytes")
        }
    }

    /// About the bytes of a value as JSON; depth was limited when it was read.
    private static func size(_ value: JSONValue) -> Int {
        switch value {
        case .null, .bool: 5
        case .integer, .number: 12
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + size($1) + 1 }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + size($1.value) + 4 }
        }
    }
}
