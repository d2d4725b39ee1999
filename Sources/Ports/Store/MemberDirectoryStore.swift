import Foundation
import Model

/// The members of a workspace for the directory of another system.
package protocol MemberDirectoryStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the address is taken.
    func addMember(
        _ draft: MemberDraft,
        _ details: MemberDetails,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> MemberEntry
    func memberEntry(_ id: MemberID, in workspace: WorkspaceID) async throws -> MemberEntry?
    /// In the order of their making.
    func memberEntries(
        in workspace: WorkspaceID,
        matching filter: MemberFilter?,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [MemberEntry], total: Int)
    /// Changes a member. The sessions of one who is made inactive or gets another password end.
    func changeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        to change: MemberChange,
        now: Date
    ) async throws -> MemberChangeOutcome
    /// Removes a member and ends their sessions.
    func removeMember(
        _ id: MemberID,
        in workspace: WorkspaceID
    ) async throws -> MemberChangeOutcome
}

/// What another system says of a member beside the sign-in.
package struct MemberDetails: Sendable, Hashable {
    package var givenName: String?
    package var familyName: String?
    package var externalID: String?
    package var isActive: Bool

    package init(
        givenName: String? = nil,
        familyName: String? = nil,
        externalID: String? = nil,
        isActive: Bool = true
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.externalID = externalID
        self.isActive = isActive
    }
}

/// Which members a list shows.
package enum MemberFilter: Sendable, Hashable {
    /// Whatever its case.
    case email(String)
    case externalID(String)
}

/// What a member is changed to.
package struct MemberChange: Sendable, Hashable {
    package var name: String
    package var role: Member.Role
    package var details: MemberDetails
    /// Stays as it is when `nil`.
    package var passwordHash: String?

    package init(
        name: String,
        role: Member.Role,
        details: MemberDetails,
        passwordHash: String? = nil
    ) {
        self.name = name
        self.role = role
        self.details = details
        self.passwordHash = passwordHash
    }
}

package enum MemberChangeOutcome: Sendable, Hashable {
    case changed
    /// There is no such member in the workspace.
    case unknown
    /// Nobody who may sign in would be an administrator.
    case lastAdministrator
}
