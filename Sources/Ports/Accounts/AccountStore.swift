import Foundation
import Model

/// Apps, keys and credentials. Each change by a member is one transaction with its audit
/// record.
package protocol AccountStore: Sendable {
    func createApp(
        _ draft: AppDraft,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> App
    func apps(in workspace: WorkspaceID) async throws -> [App]
    func app(sdkKey: String) async throws -> App?

    /// Number of devices of the app that name a user, and how many of them have not verified it.
    func namedDevices(of app: AppID) async throws -> (all: Int, unproved: Int)
    /// Replaces the authentication of the app's users, if it is still `former`.
    ///
    /// - Returns: `false` if it has changed since it was read; nothing is changed then.
    func changeAuthentication(
        from former: SDKAuthenticationPolicy,
        to authentication: SDKAuthenticationPolicy,
        of app: AppID,
        noting audit: AuditRecord?
    ) async throws -> Bool

    /// Stores a provider's credentials, encrypted by the caller; replaces earlier ones.
    func saveCredentials(
        _ credentials: SealedCredentials,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    func credentials(app: AppID, provider: PushProvider) async throws -> [SealedCredentials]

    /// Stores a key by the hash of its secret.
    ///
    /// - Throws: `StoreError` with code `exists` if the name is taken.
    func saveAPIKey(_ key: APIKey, secretHash: Data, noting audit: AuditRecord?) async throws
    func apiKey(secretHash: Data) async throws -> APIKey?
    /// Records when a key was last used.
    func recordAPIKeyUse(secretHash: Data, at time: Date) async throws
    func apiKeys(in workspace: WorkspaceID) async throws -> [APIKey]
    /// - Returns: `false` if no unrevoked key has this name.
    func revokeAPIKey(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool

    /// The member with this address, in the workspace that was opened last, if the member may sign
    /// in.
    func memberWithPassword(email: String) async throws -> (member: Member, passwordHash: String)?
}

/// A provider's credentials, encrypted before they reach the store.
package struct SealedCredentials: Sendable, Hashable {
    package var app: AppID
    package var provider: PushProvider
    package var box: Data

    package init(app: AppID, provider: PushProvider, box: Data) {
        self.app = app
        self.provider = provider
        self.box = box
    }
}
