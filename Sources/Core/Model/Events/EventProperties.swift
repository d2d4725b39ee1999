import JSON
import NoroshiWire

/// The properties of an event as the stored JSON text, which is kept as it was sent.
package struct EventProperties: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A JSON object without repeated keys at any depth.
    package let text: String

    package var isEmpty: Bool { text == "{}" }

    package init(_ object: [String: JSONValue]) {
        text = JSONWriter.text(object)
    }

    /// The object `node`; of a repeated key the last value is used.
    package init(_ node: JSONNode) {
        text =
            node.mayRepeatKeys
            ? JSONWriter.text(node.value) : node.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    /// These properties combined with `more`, which takes precedence.
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
