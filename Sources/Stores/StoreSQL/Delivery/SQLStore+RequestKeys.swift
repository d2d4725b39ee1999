import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func createSend(
        _ content: SendContent,
        for key: IdempotencyKey,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> IdempotentSend {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM request_keys WHERE created_at < ?",
                arguments: [key.expiredBefore.milliseconds]
            )
            if let known = try Row.fetchOne(
                database,
                sql: """
                    SELECT fingerprint, \(Send.columns) FROM request_keys
                    JOIN sends ON sends.id = send_id
                    WHERE request_keys.workspace_id = ? AND name = ?
                    """,
                arguments: [workspace.rawValue, key.name]
            ) {
                return known["fingerprint"] == key.fingerprint
                    ? .known(try Send(row: known)) : .otherRequest
            }
            let send = try Self.insertSend(
                content,
                in: workspace,
                scheduledAt: scheduledAt,
                now,
                database
            )
            try database.execute(
                sql: "INSERT INTO request_keys VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    workspace.rawValue, key.name, key.fingerprint, send.id.rawValue,
                    now.milliseconds,
                ]
            )
            try Self.addAudit(audit(send.id), in: workspace, database)
            return .made(send)
        }
    }
}
