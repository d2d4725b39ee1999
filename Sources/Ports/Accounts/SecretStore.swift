import Foundation
import Model

/// Credentials a workspace uses under a name, such as those of `connected_content`.
package protocol SecretStore: Sendable {
    /// Stores a secret, sealed by the caller; replaces what had the name.
    func saveSecret(
        _ box: Data,
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    func secret(named name: String, in workspace: WorkspaceID) async throws -> Data?
    func secretNames(in workspace: WorkspaceID) async throws -> [String]
    /// Whether there was one.
    func deleteSecret(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
}
