import Foundation
import GRDB
import JSON
import Model
import NoroshiWire
import Ports

/// Values that a column holds as JSON text.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw StoreError(.unreadable, "a stored \(type) cannot be read: \(error)")
        }
    }

    /// Does not throw, but matches the signature of the overload above.
    static func text(_ object: [String: JSONValue]) throws -> String { JSONWriter.text(object) }

    static func object(_ text: String?) throws -> [String: JSONValue] {
        guard let text, text != "{}" else { return [:] }
        do {
            return try JSONReader.read(text.utf8, flawedStrings: .kept).objectValue ?? [:]
        } catch {
            throw StoreError(.unreadable, "stored JSON cannot be read: \(error)")
        }
    }
}
