import Liquid
import Model
import Reasons

/// The reason why a content block is not saved or deleted.
package enum ContentBlockError: Error, Sendable, CustomStringConvertible {
    /// The name breaks the rule that is stated.
    case name(Reason)
    /// Another block has the name.
    case nameTaken(String)
    case descriptionTooLong
    case contentTooLong
    case tooManyTags
    case liquid(LiquidError)
    /// Active messages use it.
    case used(by: [ContentUses.Holder])

    /// The invalid field; `nil` for the block as a whole.
    package var field: String? {
        switch self {
        case .name, .nameTaken: "name"
        case .descriptionTooLong: "description"
        case .contentTooLong, .liquid: "content"
        case .tooManyTags: "tags"
        case .used: nil
        }
    }

    /// The problem of the field.
    package var description: String {
        switch self {
        case .name(let reason): reason.description
        case .nameTaken(let name):
            "is taken: there is a content block named '\(name)' already"
        case .descriptionTooLong:
            "has at most \(ContentBlockValidator.descriptionLimit) characters"
        case .contentTooLong: "has at most \(ContentBlockValidator.contentLimit) bytes"
        case .tooManyTags: "are at most \(ContentBlockValidator.tagLimit)"
        case .liquid(let error): error.text
        case .used(let holders): ContentUses.sentence(holders)
        }
    }
}
