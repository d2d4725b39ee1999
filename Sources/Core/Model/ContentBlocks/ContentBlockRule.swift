/// The limits and rules of content blocks.
package enum ContentBlockRule {
    /// Maximum length of a name, in characters.
    package static let nameLimit = 100
    /// Maximum length of the content, in bytes.
    package static let contentLimit = 50 * 1024
    /// Maximum length of a description, in characters.
    package static let descriptionLimit = 250
    package static let tagLimit = 50

    /// The error of a name; `nil` if it is valid.
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

    package static func problem(content: String) -> String? {
        content.utf8.count <= contentLimit ? nil : "has at most \(contentLimit) bytes"
    }

    package static func problem(description: String) -> String? {
        description.count <= descriptionLimit
            ? nil : "has at most \(descriptionLimit) characters"
    }
}
