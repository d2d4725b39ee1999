import Foundation
import Model

/// Sign-in by OpenID Connect: the providers, the sign-ins under way, and which person at a provider
/// a member is.
package protocol OpenIDStore: Sendable {
    /// In order of their workspaces.
    func openIDProviders() async throws -> [OpenIDProvider]
    func openIDProvider(of workspace: WorkspaceID) async throws -> OpenIDProvider?
    /// The encrypted secret of the workspace's client.
    func openIDSecret(of workspace: WorkspaceID) async throws -> Data?
    /// - Parameter secret: Encrypted by the caller; `nil` keeps the one that is there.
    func saveOpenIDProvider(
        _ provider: OpenIDProvider,
        secret: Data?,
        noting audit: AuditRecord,
        now: Date
    ) async throws
    /// - Returns: `false` if the workspace has none.
    func deleteOpenIDProvider(
        of workspace: WorkspaceID,
        noting audit: AuditRecord
    ) async throws -> Bool

    /// Stores a sign-in that begins, and deletes those that have expired.
    func saveOpenIDAttempt(_ attempt: OpenIDAttempt, stateHash: Data, now: Date) async throws
    /// Takes out a sign-in that has not expired; nobody else gets it then.
    ///
    /// - Returns: `nil` if there is none in this workspace that this browser has begun.
    func takeOpenIDAttempt(
        stateHash: Data,
        browserHash: Data,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> OpenIDAttempt?

    /// The member who is this person: the one to whom the person is bound, or else the one with the
    /// address, to whom the person is then bound for good.
    ///
    /// - Parameters:
    ///   - email: The address that the provider has verified; `nil` if it has not.
    ///   - audit: Makes the record of a new bond.
    func openIDMember(
        _ subject: OpenIDSubject,
        verifiedEmail email: String?,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord,
        now: Date
    ) async throws -> OpenIDMatch
    /// Makes a new member, bound to this person; see ``MemberDirectoryStore/addMember(_:_:in:noting:now:)``.
    ///
    /// - Returns: `nil` if somebody removed a member with this address or this person.
    /// - Throws: `StoreError` with code `exists` if the workspace has a member with the address.
    func addOpenIDMember(
        _ draft: MemberDraft,
        _ subject: OpenIDSubject,
        in workspace: WorkspaceID,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> Member?

    func openIDIdentities(
        of member: MemberID,
        in workspace: WorkspaceID
    ) async throws -> [OpenIDIdentity]
    /// Binds a person to a member.
    ///
    /// - Returns: The member; `nil` if the workspace has no such member.
    /// - Throws: `StoreError` with code `exists` if the person is bound to another member, or the
    ///   member to another person of the provider.
    func bindOpenIDSubject(
        _ subject: OpenIDSubject,
        to member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord,
        now: Date
    ) async throws -> Member?
    /// Releases a member from all persons at the workspace's providers, and ends the member's
    /// sessions in the workspace.
    ///
    /// - Returns: The member; `nil` if the workspace has no such member, or none is bound.
    func releaseOpenIDMember(
        _ member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member?
}

/// Encrypts the secrets of clients of providers before they reach the store.
package protocol OpenIDSecretVault: Sendable {
    func seal(_ secret: String, of workspace: WorkspaceID) throws -> Data
    func open(_ box: Data, of workspace: WorkspaceID) throws -> String
}
