import Foundation
import Model

/// Apps, keys, sessions and credentials. Each change that a person makes is one transaction with
/// its audit record.
package protocol AccountStore: Sendable {
    func createApp(
        _ draft: AppDraft,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> App
    func apps(in workspace: WorkspaceID) async throws -> [App]
    func app(sdkKey: String) async throws -> App?

    /// How many devices of the app say they are a named user's, and how many of them have not
    /// proved it.
    func namedDevices(of app: AppID) async throws -> (all: Int, unproved: Int)
    /// Says how the app's users prove who they are, if nobody has changed it since it was read.
    /// Whether nobody had.
    func changeAuthentication(
        from former: SDKAuthentication,
        to authentication: SDKAuthentication,
        of app: AppID,
        noting audit: AuditRecord?
    ) async throws -> Bool

    /// Stores what a provider's client needs, sealed by the caller; replaces what was there.
    func saveCredentials(
        _ credentials: SealedCredentials,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    func credentials(app: AppID, provider: PushProvider) async throws -> [SealedCredentials]

    /// Stores a key by the hash of its secret.
    ///
    /// - Throws: `StoreError` with code `exists` when the name is taken.
    func saveAPIKey(_ key: APIKey, secretHash: Data, noting audit: AuditRecord?) async throws
    func apiKey(secretHash: Data) async throws -> APIKey?
    /// Keeps when a key was last used.
    func noteAPIKeyUse(secretHash: Data, at time: Date) async throws
    func apiKeys(in workspace: WorkspaceID) async throws -> [APIKey]
    /// Whether there was an unrevoked key of this name.
    func revokeAPIKey(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool

    /// The member with this address who may sign in.
    func memberWithPassword(email: String) async throws -> (member: Member, passwordHash: String)?
    /// Keeps a session, and when its member has signed in.
    func saveConsoleSession(
        tokenHash: Data,
        member: MemberID,
        startedAt: Date,
        expiresAt: Date
    ) async throws
    /// The member of a session that has not ended, who may sign in.
    func member(consoleSession tokenHash: Data, now: Date) async throws -> Member?
    func deleteConsoleSession(tokenHash: Data) async throws
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
