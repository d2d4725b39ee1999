import Foundation
import Model

/// Who changed what in a workspace. Records are added and read, never changed.
package protocol AuditStore: Sendable {
    func addAudit(_ record: AuditRecord, in workspace: WorkspaceID) async throws
    /// Newest first.
    func audit(
        in workspace: WorkspaceID,
        matching query: AuditQuery
    ) async throws -> (records: [AuditRecord], total: Int)
    /// Everyone who is in the log, in the order of the alphabet.
    func auditAuthors(in workspace: WorkspaceID) async throws -> [String]
}

/// Which records a list shows.
package struct AuditQuery: Sendable, Hashable {
    /// In the action, the subject or the detail.
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
