/// The rules for members' passwords.
package enum PasswordRule {
    /// In characters.
    package static let length = 10...1_000
    static let longestInBytes = 4 * 1_000

    /// - Throws: ``PasswordProblem``.
    static func check(_ password: String) throws(PasswordProblem) {
        guard password.count >= length.lowerBound else { throw .tooShort }
        guard password.count <= length.upperBound, password.utf8.count <= longestInBytes else {
            throw .tooLong
        }
    }
}

/// The reason why a password is rejected.
package enum PasswordProblem: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case tooShort, tooLong
    /// The new password equals the current one.
    case same
    /// The member's current password was wrong.
    case wrongPresent
    /// The link was already used, has expired, or never existed.
    case linkUnusable

    package var description: String {
        switch self {
        case .tooShort: "a password has at least \(PasswordRule.length.lowerBound) characters"
        case .tooLong: "a password has at most \(PasswordRule.length.upperBound) characters"
        case .same: "this is the present password; choose another one"
        case .wrongPresent: "the present password is another one"
        case .linkUnusable:
            "this link was used already or is too old; ask an administrator for a new one"
        }
    }
}
