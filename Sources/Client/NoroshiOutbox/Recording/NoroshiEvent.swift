import Foundation
import NoroshiWire

/// An event whose properties the compiler checks.
///
/// ```swift
/// struct ViewedItem: Noroshi.Event {
///     var sku: String
///     var price: Double
/// }
/// noroshi.log(ViewedItem(sku: "A-1", price: 9.5))
/// ```
/// The properties are the value's encoded members; dates are sent as ISO 8601 text.
public protocol NoroshiEvent: Encodable, Sendable {
    /// The name of the event; by default the type's name in snake case, here `viewed_item`.
    static var name: String { get }
}

extension NoroshiEvent {
    /// The name of the type.
    public static var name: String {
        var name = ""
        for character in String(describing: Self.self) {
            if character.isUppercase, !name.isEmpty { name.append("_") }
            name += character.lowercased()
        }
        return name
    }

    /// The members of the event as properties.
    package func properties() throws -> [String: JSONValue] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(JSONValue.date(date))
        }
        let data = try encoder.encode(self)
        return try JSONDecoder().decode([String: JSONValue].self, from: data)
    }
}
