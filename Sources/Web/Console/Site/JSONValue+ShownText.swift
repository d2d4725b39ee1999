import Foundation
import NoroshiWire

extension JSONValue {
    /// As pages and forms show it: texts without quotes, nothing for null, anything else as JSON.
    var shownText: String {
        switch self {
        case .null: return ""
        case .string(let text): return text
        default:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
