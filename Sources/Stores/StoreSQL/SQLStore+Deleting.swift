import Model
import Ports
import Relational

extension SQLStore {
    /// Deletes a row of a workspace.
    ///
    /// - Returns: Whether it was there.
    func delete(
        from table: String,
        _ id: some DatabaseValueConvertible & Sendable,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM \(table) WHERE id = ? AND workspace_id = ?",
                arguments: [id, workspace.rawValue]
            )
            guard try database.changesCount > 0 else { return false }
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }
}
