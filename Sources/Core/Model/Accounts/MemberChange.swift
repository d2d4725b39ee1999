/// The new values of a member; `nil` leaves a value unchanged.
package struct MemberChange: Sendable, Hashable {
    package var name: String?
    package var role: Member.Role
    package var details: MemberDetails?
    package var passwordHash: String?

    package init(
        name: String? = nil,
        role: Member.Role,
        details: MemberDetails? = nil,
        passwordHash: String? = nil
    ) {
        self.name = name
        self.role = role
        self.details = details
        self.passwordHash = passwordHash
    }
}
