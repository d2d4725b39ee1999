import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Reasons

/// The limits of names and values that clients send; the same for the SDK and the REST API.
package enum FieldValidator {
    /// Maximum length of a name (event, property, product, alias), in characters.
    static let nameLimit = 255
    static let externalIDLimit = 997
    /// Maximum size of the properties of one event as JSON, in bytes.
    static let propertiesLimit = 102_400
    /// Maximum size of each text that describes a device, in bytes.
    static let deviceLimit = 255
    /// Maximum absolute price of one piece, in units of its currency. Sums over all purchases that
    /// a database can hold stay finite.
    static let priceLimit = 1e12
    /// Maximum length of a session, in seconds: a year.
    static let sessionLimit = 31_622_400.0

    /// Rejects U+0000: SQLite and C end a text there, so that two names would become equal.
    static func text(_ text: String, _ field: String) throws(FieldProblem) {
        guard !text.utf8.contains(0) else {
            throw FieldProblem(field, .noNullCharacter)
        }
    }

    /// The same for every text and key in a value, at any depth.
    static func texts(_ value: JSONValue, _ field: String) throws(FieldProblem) {
        switch value {
        case .string(let string): try text(string, field)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try texts(element, "\(field).\(index)")
            }
        case .object(let members): try texts(members, field)
        case .number(let number):
            guard number.isFinite else { throw FieldProblem(field, .mustBeFinite) }
        case .null, .bool, .integer: break
        }
    }

    static func texts(
        _ members: [String: JSONValue],
        _ field: String
    ) throws(FieldProblem) {
        for (key, value) in members {
            try text(key, field)
            try texts(value, "\(field).\(key)")
        }
    }

    static func externalID(_ id: String) throws(FieldProblem) {
        guard !id.isEmpty, id.utf8.count <= externalIDLimit else {
            throw FieldProblem("external_id", .byteCount, ["count": "\(externalIDLimit)"])
        }
        try text(id, "external_id")
    }

    static func eventName(_ name: String) throws(FieldProblem) {
        try text(name, "name")
        guard isName(name) else {
            throw FieldProblem("name", .eventNameRule, ["count": "\(nameLimit)"])
        }
    }

    /// Whether the text can be the name of an event or a property.
    private static func isName(_ name: String) -> Bool {
        // The number of bytes decides for most names; counting characters takes much longer.
        (1...nameLimit).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "$")
            || !name.isEmpty && name.count <= nameLimit && !name.hasPrefix("$")
    }

    static func alias(name: String, label: String) throws(FieldProblem) {
        guard (1...nameLimit).contains(name.count), (1...nameLimit).contains(label.count) else {
            throw FieldProblem("user_alias", .aliasLength, ["count": "\(nameLimit)"])
        }
        try text(name, "user_alias.alias_name")
        try text(label, "user_alias.alias_label")
    }

    package static func currency(_ currency: String) throws(FieldProblem) {
        guard currency.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw FieldProblem("currency", .currencyCode)
        }
    }

    static func purchase(
        _ product: String,
        _ currency: String,
        _ price: Double,
        _ quantity: Int
    ) throws(FieldProblem) {
        try text(product, "product_id")
        guard (1...nameLimit).contains(product.count) else {
            throw FieldProblem("product_id", .characterCount, ["count": "\(nameLimit)"])
        }
        try self.currency(currency)
        guard abs(price) <= priceLimit else {
            throw FieldProblem(
                "price",
                .amount,
                ["first": "-1000000000000", "last": "1000000000000"]
            )
        }
        guard (1...100).contains(quantity) else {
            throw FieldProblem("quantity", .wholeNumberFrom, ["first": "1", "last": "100"])
        }
    }

    /// Validates the description of a device: short texts.
    static func device(_ device: SDKDevice) throws(FieldProblem) {
        let texts = [
            ("platform", device.platform), ("model", device.model),
            ("os_version", device.osVersion), ("app_version", device.appVersion),
            ("sdk_version", device.sdkVersion), ("locale", device.locale),
            ("time_zone", device.timeZone),
        ]
        for case (let name, let value?) in texts {
            guard value.utf8.count <= deviceLimit else {
                throw FieldProblem("device.\(name)", .mostBytes, ["count": "\(deviceLimit)"])
            }
            try text(value, "device.\(name)")
        }
    }

    static func session(duration: Double) throws(FieldProblem) {
        guard (0...sessionLimit).contains(duration) else {
            throw FieldProblem(
                "duration_seconds",
                .numberFrom,
                ["first": "0", "last": "\(Int(sessionLimit))"]
            )
        }
    }

    /// The properties of an element; empty if it has none.
    static func properties(_ object: JSONNode) throws(FieldProblem) -> EventProperties {
        guard let node = object.present("properties") else { return [:] }
        guard node.kind == .object else { throw FieldProblem("properties", .mustBeObject) }
        if let flaw = node.flaw {
            throw FieldProblem(.request("properties.\(flaw.path)"), flaw.reason)
        }
        for (key, _) in node.members { try property(key.string ?? "") }
        guard node.byteCount <= propertiesLimit else { throw tooLarge }
        return EventProperties(node)
    }

    static func properties(
        _ object: [String: JSONValue]
    ) throws(FieldProblem) -> EventProperties {
        try texts(object, "properties")
        for name in object.keys { try property(name) }
        let properties = EventProperties(object)
        guard properties.text.utf8.count <= propertiesLimit else { throw tooLarge }
        return properties
    }

    private static func property(_ name: String) throws(FieldProblem) {
        guard isName(name) else {
            throw FieldProblem(
                "properties",
                .noPropertyName,
                ["name": "\(name.prefix(40))", "count": "\(nameLimit)"]
            )
        }
        guard name != "time", name != "event_name" else {
            throw FieldProblem("properties", .reservedName, ["name": .text(name)])
        }
    }

    private static let tooLarge = FieldProblem(
        "properties",
        .propertiesTooLarge,
        ["count": "\(propertiesLimit)"]
    )
}
