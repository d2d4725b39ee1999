import Foundation
import Model

/// The addresses that get facts.
package protocol FactWebhookStore: Sendable {
    /// By name.
    func factWebhooks(in workspace: WorkspaceID) async throws -> [FactWebhook]
    func factWebhook(_ id: UUID, in workspace: WorkspaceID) async throws -> FactWebhook?
    /// Those of all workspaces that are active; none while a restored server must not send.
    func activeFactWebhooks() async throws -> [FactWebhook]
    /// Adds or replaces one; how far it has come stays unless it is new.
    ///
    /// - Parameter secret: Encrypted by the caller; `nil` keeps the stored one.
    /// - Throws: `StoreError` with code `exists` if the name is taken.
    func saveFactWebhook(
        _ webhook: FactWebhook,
        secret: Data?,
        noting audit: AuditRecord?
    ) async throws
    /// - Returns: `false` if there is no such webhook.
    func deleteFactWebhook(
        _ id: UUID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
    func factWebhookSecret(_ id: UUID) async throws -> Data?
    /// Stores what became of an attempt: position, failures and the next attempt. A state other than
    /// `dead` is left to members.
    func recordFactDelivery(_ webhook: FactWebhook) async throws
}

/// Encrypts the secrets with which webhooks of facts are signed.
package protocol FactSecretVault: Sendable {
    func seal(_ secret: Data, of webhook: UUID) throws -> Data
    func open(_ box: Data, of webhook: UUID) throws -> Data
}
