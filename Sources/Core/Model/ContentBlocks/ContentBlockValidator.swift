import Reasons

/// What a content block may be.
package enum ContentBlockValidator {
    /// Maximum length of a name, in characters.
    package static let nameLimit = 100
    /// Maximum length of the content, in bytes.
    package static let contentLimit = 50 * 1024
    /// Maximum length of a description, in characters.
    package static let descriptionLimit = 250
    package static let tagLimit = 50

    /// What is wrong with a name; `nil` for a good one.
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

    package static func problem(content: String) -> Reason? {
        content.utf8.count <= contentLimit
            ? nil : Reason(FieldReason.bytes, ["count": "\(contentLimit)"])
    }

    package static func problem(description: String) -> Reason? {
        description.count <= descriptionLimit
            ? nil : Reason(FieldReason.charactersAtMost, ["count": "\(descriptionLimit)"])
    }
}
