import Foundation
import NoroshiWire

/// A value as entered by a member: JSON, or text that needs no quotes.
struct ParsedLiteral {
    let text: String
    let json: JSONValue

    init(text: String) {
        self.text = text
        let found = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        json = found ?? .string(text)
    }

    init(json: JSONValue) {
        self.json = json
        if case .string(let string) = json, ParsedLiteral(text: string).json == json {
            text = string
        } else {
            // Equal values always have equal texts.
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            text = (try? encoder.encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
