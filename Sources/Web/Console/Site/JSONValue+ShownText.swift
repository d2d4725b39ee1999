import Foundation
import NoroshiWire

extension JSONValue {
    /// The text for pages and forms: strings without quotes, empty for null, other values as JSON.
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

    /// As `shownText`, but a list of plain values without brackets and quotes.
    var listedText: String {
        guard case .array(let elements) = self else { return shownText }
        let isPlain = elements.allSatisfy {
            switch $0 {
            case .array, .object: false
            default: true
            }
        }
        return isPlain ? elements.map(\.shownText).joined(separator: ", ") : shownText
    }
}
