import Model

/// An attempt to sign in whose password, code or key was right.
package struct SignIn: Sendable, Hashable {
    package var member: Member
    /// The token of the session; if the second factor is outstanding, that of this step, which
    /// opens nothing else.
    package var token: String
    package var awaitsCode: Bool

    package init(member: Member, token: String, awaitsCode: Bool = false) {
        self.member = member
        self.token = token
        self.awaitsCode = awaitsCode
    }
}
