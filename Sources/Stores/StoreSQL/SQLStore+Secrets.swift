import Foundation
import Model
import Ports
import Relational

extension SQLStore: SecretStore {
    package func saveSecret(
        _ box: Data,
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO secrets (workspace_id, name, box, updated_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (workspace_id, name) DO UPDATE
                    SET box = excluded.box, updated_at = excluded.updated_at
                    """,
                arguments: [workspace.rawValue, name, box, now.milliseconds]
            )
            try Self.addAudit(audit, in: workspace, database)
        }
    }

    package func secret(named name: String, in workspace: WorkspaceID) async throws -> Data? {
        try await read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT box FROM secrets WHERE workspace_id = ? AND name = ?",
                arguments: [workspace.rawValue, name]
            )
        }
    }

    package func secretNames(in workspace: WorkspaceID) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: "SELECT name FROM secrets WHERE workspace_id = ? ORDER BY name",
                arguments: [workspace.rawValue]
            )
        }
    }

    package func deleteSecret(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM secrets WHERE workspace_id = ? AND name = ?",
                arguments: [workspace.rawValue, name]
            )
            guard try database.changesCount > 0 else { return false }
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }
}
