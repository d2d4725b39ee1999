import Foundation
import JSON
import NoroshiWire

/// Encodes accepted items as JSON.
enum RecordText {
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Records consist of strings and finite numbers, which can always be encoded.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("[]".utf8)
    }

    /// JSON bytes as a value for another record; `nil` if they are not JSON, or nested deeper than
    /// `JSONDocument` supports, because encoding is recursive.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        guard (try? JSONDocument(bytes: bytes)) != nil else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// The same; bytes that are not a value are returned as text.
    static func valueOrText(_ bytes: [UInt8]) -> JSONValue {
        value(bytes) ?? .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Whole seconds or milliseconds, clamped to 64 bits.
    static func whole(_ number: Double) -> Int64 {
        let number = number.rounded(.down)
        if let whole = Int64(exactly: number) { return whole }
        if number.isNaN { return 0 }
        return number < 0 ? .min : .max
    }
}
