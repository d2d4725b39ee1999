import Foundation

/// A person who uses the console.
package struct Member: Sendable, Hashable {
    /// What a member may do; each role includes the ones before it.
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case viewer, marketer, administrator
    }

    package var id: MemberID
    package var workspace: WorkspaceID
    package var name: String
    package var email: String
    package var role: Role
    package var language: String?

    package init(
        id: MemberID,
        workspace: WorkspaceID,
        name: String,
        email: String,
        role: Role,
        language: String? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.email = email
        self.role = role
        self.language = language
    }
}
