import Foundation
import WebPages

/// What somebody has written into the composer, kept so that no reload, language or session loses it.
package struct KeptForm: Sendable, Hashable {
    package var id: UUID
    package var fields: FormFields
    /// What lists call it; empty where nothing says it yet.
    package var title: String
    package var author: String
    package var updatedAt: Date
    /// The number of the push that it has become.
    package var push: Int64?

    package init(
        id: UUID,
        fields: FormFields,
        title: String,
        author: String,
        updatedAt: Date,
        push: Int64? = nil
    ) {
        self.id = id
        self.fields = fields
        self.title = title
        self.author = author
        self.updatedAt = updatedAt
        self.push = push
    }
}
