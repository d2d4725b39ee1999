import Foundation
import Model

/// Named credentials of a workspace, such as those of `connected_content`.
package protocol SecretStore: Sendable {
    /// Stores a secret, encrypted by the caller; replaces the one with the same name.
    func saveSecret(
        _ box: Data,
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    func secret(named name: String, in workspace: WorkspaceID) async throws -> Data?
    func secretNames(in workspace: WorkspaceID) async throws -> [String]
    /// - Returns: `false` if there was no secret with this name.
    func deleteSecret(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
}
