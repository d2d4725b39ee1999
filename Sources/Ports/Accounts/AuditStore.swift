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
