import Foundation
import NoroshiWire

/// A value as a person types it: a number, `true` or `false` for what they look like, and a text
/// otherwise; in quotes a text that looks like one of them.
struct TypedValue {
    let text: String
    let json: JSONValue

    init(text: String) {
        self.text = text
        let found = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        json = found ?? .string(text)
    }

    init(json: JSONValue) throws {
        self.json = json
        if case .string(let string) = json, TypedValue(text: string).json == json {
            text = string
        } else {
            text = String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
        }
    }
}
