import Foundation
import Model
import Ports

/// Writes down who changed what.
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
