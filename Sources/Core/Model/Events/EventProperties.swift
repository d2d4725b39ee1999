import JSON
import NoroshiWire

/// The properties of an event as the JSON text that is stored: what came in is not written anew.
package struct EventProperties: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A JSON object; in each of its objects every key stands once.
    package let text: String

    package var isEmpty: Bool { text == "{}" }

    package init(_ object: [String: JSONValue]) {
        text = JSONWriter.text(object)
    }

    /// The object `node`; of a key that is there twice, the last value.
    package init(_ node: JSONNode) {
        text =
            node.mayRepeatKeys
            ? JSONWriter.text(node.value) : node.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    /// The properties and `more`, which outranks them.
    package func adding(_ more: [String: JSONValue]) -> EventProperties {
        isEmpty ? EventProperties(more) : EventProperties(object.merging(more) { $1 })
    }

    package var object: [String: JSONValue] {
        guard !isEmpty, let value = try? JSONReader.read(text.utf8, flawedStrings: .kept) else {
            return [:]
        }
        return value.objectValue ?? [:]
    }
}
