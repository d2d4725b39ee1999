/// What a member is changed to; what is `nil` stays.
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
