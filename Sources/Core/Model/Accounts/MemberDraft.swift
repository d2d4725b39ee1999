import Foundation

/// The data of a new member.
package struct MemberDraft: Sendable, Hashable {
    package var name: String
    package var email: String
    package var passwordHash: String
    package var role: Member.Role

    package init(name: String, email: String, passwordHash: String, role: Member.Role) {
        self.name = name
        self.email = email
        self.passwordHash = passwordHash
        self.role = role
    }
}
