import NoroshiWire
import Reasons

/// The limits and rules of catalogs and their items.
package enum CatalogValidator {
    package static let nameLimit = 250
    package static let fieldLimit = 500
    package static let catalogLimit = 100
    /// Maximum number of fields that are added to a catalog at once.
    package static let addedFieldLimit = 50
    package static let descriptionLimit = 250
    package static let selectionLimit = 30
    package static let filterLimit = 4
    /// Maximum length of a text that a field is compared with, in characters.
    package static let filterTextLimit = 1_000
    /// Maximum number of items of a selection that a message gets.
    package static let resultLimit = 50
    /// Maximum number of items per request.
    package static let itemLimit = 50
    /// Maximum size of one item as JSON, in bytes.
    package static let itemBytes = 100 * 1024

    /// The error of the name of a catalog or a field, or of the id of an item; `nil` if it is
    /// valid.
    package static func problem(name: String) -> Reason? {
        guard !name.isEmpty, name.count <= nameLimit else {
            return Reason(FieldReason.characters, ["count": "\(nameLimit)"])
        }
        let isPlain = name.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == 45 || byte == 95
        }
        return isPlain ? nil : Reason(FieldReason.plainName)
    }

    /// The error of a value; null is allowed in every field.
    package static func problem(value: JSONValue, of field: Catalog.Field) -> Reason? {
        if !isPlain(value) { return Reason(FieldReason.valueNotKept) }
        let fits =
            switch (value, field.type) {
            case (.null, _), (.string, .string), (.integer, .number), (.number, .number),
                (.bool, .boolean), (.object, .object), (.array, .array):
                true
            case (.string(let text), .time): Timestamp.parse(text) != nil
            default: false
            }
        return fits ? nil : Reason(FieldReason.otherType, ["type": .text(field.type.rawValue)])
    }

    /// Whether a value with all of its contents can be stored and written again unchanged.
    package static func isPlain(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer: true
        case .number(let number): number.isFinite
        case .string(let text): isPlain(text)
        case .array(let elements): elements.allSatisfy(isPlain)
        case .object(let members): members.allSatisfy { isPlain($0.key) && isPlain($0.value) }
        }
    }

    /// SQLite ends a text at U+0000.
    private static func isPlain(_ text: String) -> Bool { !text.utf8.contains(0) }
}
