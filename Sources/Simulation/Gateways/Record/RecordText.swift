import Foundation
import NoroshiWire

/// Writes what was accepted as JSON.
enum RecordText {
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Records are made of strings and finite numbers, which always encode.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("[]".utf8)
    }

    /// JSON bytes as a value inside another record; nil when they are no JSON.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }
}
