import Foundation

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
