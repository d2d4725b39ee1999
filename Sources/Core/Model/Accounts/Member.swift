import Foundation

/// A person who uses the console.
package struct Member: Sendable, Hashable {
    /// What a member may do; each role includes the ones before it.
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case viewer, editor, administrator
    }

    package var id: MemberID
    package var workspace: WorkspaceID
    package var email: String
    package var role: Role
    package var language: String?

    package init(
        id: MemberID, workspace: WorkspaceID, email: String, role: Role, language: String? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.email = email
        self.role = role
        self.language = language
    }
}
