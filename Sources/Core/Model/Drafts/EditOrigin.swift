import Foundation

/// Where a content that is to be saved comes from.
package struct EditOrigin: Sendable, Hashable {
    /// The draft it was written in: it becomes what is saved, once.
    package var draft: UUID?
    /// When the thing had last been changed as somebody began to edit it: whoever saves a later
    /// state has to look at it first. `nil` asks for nothing.
    package var version: Date?

    package init(draft: UUID? = nil, version: Date? = nil) {
        self.draft = draft
        self.version = version
    }

    /// From nowhere in particular, such as a request.
    package static let direct = EditOrigin()
}
