import Foundation
import Model
import NoroshiWire
import Segments

/// What the values of an attribute are, by which a form offers operators.
package enum AttributeKind: String, Sendable, Hashable, CaseIterable {
    case text, number, date, boolean, list, version

    package init(_ attribute: Segments.StandardAttribute) {
        self =
            switch attribute.kind {
            case .string: .text
            case .number: .number
            case .time: .date
            case .strings: .list
            }
    }

    package init(_ field: DeviceField) {
        switch field {
        case .appVersion, .osVersion: self = .version
        default: self = field.isBool ? .boolean : .text
        }
    }

    /// The kind of a stored value; `nil` for one that only its members say something about.
    package init?(of value: JSONValue) {
        switch value {
        case .string(let text):
            self =
                if Timestamp.parse(text) != nil {
                    .date
                } else if Self.isVersion(text) {
                    .version
                } else {
                    .text
                }
        case .integer, .number: self = .number
        case .bool: self = .boolean
        case .array: self = .list
        case .object, .null: return nil
        }
    }

    /// Whether a text is a dotted version, such as `2.10.1`.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (2...4).contains(parts.count)
            && parts.allSatisfy { part in
                (1...9).contains(part.utf8.count) && part.allSatisfy { ("0"..."9").contains($0) }
            }
    }
}
