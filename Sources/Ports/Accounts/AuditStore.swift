import Foundation
import Model

/// The audit log of a workspace. Records are added and read, never changed.
package protocol AuditStore: Sendable {
    func addAudit(_ record: AuditRecord, in workspace: WorkspaceID) async throws
    /// Newest first.
    func audit(
        in workspace: WorkspaceID,
        matching query: AuditQuery
    ) async throws -> (records: [AuditRecord], total: Int)
    /// The authors in the log, in alphabetical order.
    func auditAuthors(in workspace: WorkspaceID) async throws -> [String]
}
