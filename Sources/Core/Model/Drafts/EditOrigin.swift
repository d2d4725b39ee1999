import Foundation

/// The origin of content that is being saved.
package struct EditOrigin: Sendable, Hashable {
    /// The draft in which it was written, which can be saved only once; `nil` if there is none.
    package var draft: UUID?
    /// The last change of the object when the editing began: if it has changed since, it is not
    /// saved. `nil` skips the check.
    package var version: Date?

    package init(draft: UUID? = nil, version: Date? = nil) {
        self.draft = draft
        self.version = version
    }

    /// Without a draft or a version, for example from a request.
    package static let direct = EditOrigin()
}
