import Foundation
import JSON
import Model
import NoroshiWire
import Ports

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
        guard isName(name) else {
            throw FieldProblem(
                "name",
                "has 1 to \(nameLimit) characters and does not begin with a dollar sign"
            )
        }
    }

    /// Whether this can be the name of an event or a property.
    private static func isName(_ name: String) -> Bool {
        // The bytes decide for most names; to count characters takes much longer.
        (1...nameLimit).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "$")
            || !name.isEmpty && name.count <= nameLimit && !name.hasPrefix("$")
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

    /// The properties of an element, or none.
    static func properties(_ object: JSONNode) throws(FieldProblem) -> EventProperties {
        guard let node = object.present("properties") else { return [:] }
        guard node.kind == .object else { throw FieldProblem("properties", "must be an object") }
        for (key, _) in node.members { try property(key.string ?? "") }
        guard node.byteCount <= propertiesLimit else { throw tooLarge }
        return EventProperties(node)
    }

    static func properties(
        _ object: [String: JSONValue]
    ) throws(FieldProblem) -> EventProperties {
        for name in object.keys { try property(name) }
        let properties = EventProperties(object)
        guard properties.text.utf8.count <= propertiesLimit else { throw tooLarge }
        return properties
    }

    private static func property(_ name: String) throws(FieldProblem) {
        guard isName(name) else {
            throw FieldProblem(
                "properties",
                "'\(name.prefix(40))' is no name: 1 to \(nameLimit) characters, no dollar sign "
                    + "at the beginning"
            )
        }
        guard name != "time", name != "event_name" else {
            throw FieldProblem("properties", "'\(name)' is reserved; choose another name")
        }
    }

    private static let tooLarge = FieldProblem(
        "properties",
        "are larger than \(propertiesLimit) bytes"
    )
}
