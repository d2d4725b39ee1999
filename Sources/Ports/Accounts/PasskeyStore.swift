import Foundation
import Model

/// Passkeys of members.
package protocol PasskeyStore: Sendable {
    /// - Throws: `StoreError` with code `exists` if the credential is known already.
    func addPasskey(_ passkey: Passkey, noting audit: AuditRecord) async throws
    /// In order of creation.
    func passkeys(of member: MemberID, in workspace: WorkspaceID) async throws -> [Passkey]
    /// The passkey with this credential and its member, if the member may sign in.
    func passkey(credentialID: Data) async throws -> (member: Member, passkey: Passkey)?
    /// Records a use, if the counter has grown or is not kept.
    ///
    /// - Returns: `false` if it has not: the key may have been copied.
    func usePasskey(_ id: PasskeyID, signCount: UInt32, at time: Date) async throws -> Bool
    /// - Returns: The passkey; `nil` if the workspace's member has no such passkey.
    func removePasskey(
        _ id: PasskeyID,
        of member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member, Passkey) -> AuditRecord
    ) async throws -> Passkey?
}
