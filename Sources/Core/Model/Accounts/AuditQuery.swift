import Foundation

/// A filter on the records of a list.
package struct AuditQuery: Sendable, Hashable {
    /// A text in the action, the subject or the detail.
    package var text: String
    package var author: String?
    package var origin: AuditRecord.Origin?
    package var from: Date?
    package var until: Date?
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        author: String? = nil,
        origin: AuditRecord.Origin? = nil,
        from: Date? = nil,
        until: Date? = nil,
        limit: Int = 50,
        offset: Int = 0
    ) {
        self.text = text
        self.author = author
        self.origin = origin
        self.from = from
        self.until = until
        self.limit = limit
        self.offset = offset
    }
}
