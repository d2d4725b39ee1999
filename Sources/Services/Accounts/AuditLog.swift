import Foundation
import Model
import Ports

/// Writes and reads the audit log.
package struct AuditLog: Sendable {
    private let store: any AuditStore
    private let origin: AuditRecord.Origin
    private let now: @Sendable () -> Date

    package init(
        store: any AuditStore,
        origin: AuditRecord.Origin,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.origin = origin
        self.now = now
    }

    /// The records of a page, newest first, and the total number on all pages.
    package func records(
        in workspace: WorkspaceID,
        text: String = "",
        author: String? = nil,
        origin: AuditRecord.Origin? = nil,
        limit: Int,
        offset: Int = 0
    ) async throws -> (records: [AuditRecord], total: Int) {
        try await store.audit(
            in: workspace,
            matching: AuditQuery(
                text: text,
                author: author,
                origin: origin,
                limit: limit,
                offset: offset
            )
        )
    }

    /// The authors in the log.
    package func authors(in workspace: WorkspaceID) async throws -> [String] {
        try await store.auditAuthors(in: workspace)
    }

    package func record(
        _ action: String,
        _ subject: String,
        detail: String = "",
        by author: String,
        in workspace: WorkspaceID
    ) async throws {
        try await store.addAudit(
            AuditRecord(
                at: now(),
                origin: origin,
                author: author,
                action: action,
                subject: subject,
                detail: detail
            ),
            in: workspace
        )
    }
}
