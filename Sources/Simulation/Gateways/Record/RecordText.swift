import Foundation
import JSON
import NoroshiWire

/// Writes what was accepted as JSON.
enum RecordText {
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Records are made of strings and finite numbers, which always encode.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("[]".utf8)
    }

    /// JSON bytes as a value inside another record; nil when they are no JSON, or nested deeper
    /// than `JSONDocument` reads: what comes next goes down level by level on the stack.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        guard (try? JSONDocument(bytes: bytes)) != nil else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// The same, and as text what is no value.
    static func valueOrText(_ bytes: [UInt8]) -> JSONValue {
        value(bytes) ?? .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Whole seconds or milliseconds; what 64 bits do not hold becomes the nearest they do.
    static func whole(_ number: Double) -> Int64 {
        let number = number.rounded(.down)
        if let whole = Int64(exactly: number) { return whole }
        if number.isNaN { return 0 }
        return number < 0 ? .min : .max
    }
}
