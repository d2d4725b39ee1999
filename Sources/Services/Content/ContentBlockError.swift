import Liquid
import Model

/// Why a content block is not saved or deleted.
package enum ContentBlockError: Error, Sendable, CustomStringConvertible {
    /// The name breaks the rule that is stated.
    case name(String)
    /// Another block has the name.
    case nameTaken(String)
    case descriptionTooLong
    case contentTooLong
    case tooManyTags
    case liquid(LiquidError)
    /// Messages are made from it now.
    case used(by: [ContentUses.Holder])

    /// The field at fault; `nil` for the block as a whole.
    package var field: String? {
        switch self {
        case .name, .nameTaken: "name"
        case .descriptionTooLong: "description"
        case .contentTooLong, .liquid: "content"
        case .tooManyTags: "tags"
        case .used: nil
        }
    }

    /// What is wrong with the field.
    package var description: String {
        switch self {
        case .name(let problem): problem
        case .nameTaken(let name):
            "is taken: there is a content block named '\(name)' already"
        case .descriptionTooLong:
            "has at most \(ContentBlockRule.descriptionLimit) characters"
        case .contentTooLong: "has at most \(ContentBlockRule.contentLimit) bytes"
        case .tooManyTags: "are at most \(ContentBlockRule.tagLimit)"
        case .liquid(let error): error.text
        case .used(let holders): ContentUses.sentence(holders)
        }
    }
}
