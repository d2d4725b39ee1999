import NoroshiWire

/// What a catalog and its items may be.
package enum CatalogRule {
    package static let nameLimit = 250
    package static let fieldLimit = 500
    package static let catalogLimit = 100
    /// Fields that are added to a catalog at once.
    package static let addedFieldLimit = 50
    package static let descriptionLimit = 250
    package static let selectionLimit = 30
    package static let filterLimit = 4
    /// Characters of a text that a field is compared with.
    package static let filterTextLimit = 1_000
    /// The most items of a selection that a message gets.
    package static let resultLimit = 50
    /// Items of one request.
    package static let itemLimit = 50
    /// Bytes of one item as JSON.
    package static let itemBytes = 100 * 1024

    /// What is wrong with the name of a catalog or a field, or with the id of an item; `nil` for
    /// a good one.
    package static func problem(name: String) -> String? {
        guard !name.isEmpty, name.count <= nameLimit else {
            return "has 1 to \(nameLimit) characters"
        }
        let isPlain = name.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == 45 || byte == 95
        }
        return isPlain ? nil : "holds only letters from a to z, digits, '-' and '_'"
    }

    /// What is wrong with a value; null is allowed in every field.
    package static func problem(value: JSONValue, of field: Catalog.Field) -> String? {
        if !isPlain(value) { return "has U+0000 or a number that is not finite in it" }
        let fits =
            switch (value, field.type) {
            case (.null, _), (.string, .string), (.integer, .number), (.number, .number),
                (.bool, .boolean), (.object, .object), (.array, .array):
                true
            case (.string(let text), .time): Timestamp.parse(text) != nil
            default: false
            }
        return fits ? nil : "is no \(field.type.rawValue)"
    }

    /// Whether a value and all that is in it can be stored and written again as it is.
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
