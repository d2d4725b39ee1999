import JSON
import Model
import NoroshiWire

extension String {
    /// The text without U+0000, both as a character and, in JSON text, as an escape.
    var withoutNull: String {
        let plain = String(String.UnicodeScalarView(unicodeScalars.filter { $0.value != 0 }))
        guard plain.contains("\\u0000"),
            let value = try? JSONReader.read(plain.utf8, flawedStrings: .kept)
        else { return plain }
        let clean = value.withoutNull
        return clean == value ? plain : JSONWriter.text(clean)
    }
}

extension JSONValue {
    /// The value without U+0000 in its texts and keys. If two keys become equal, the last one is
    /// kept.
    fileprivate var withoutNull: JSONValue {
        switch self {
        case .string(let text): .string(text.filter { $0 != "\0" })
        case .array(let elements): .array(elements.map(\.withoutNull))
        case .object(let members):
            .object(
                Dictionary(
                    members.ordered { $0.key }
                        .map { ($0.key.filter { $0 != "\0" }, $0.value.withoutNull) },
                    uniquingKeysWith: { $1 }
                )
            )
        case .null, .bool, .integer, .number: self
        }
    }
}
