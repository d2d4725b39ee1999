/// What a password of a member must be.
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

/// Why a password is not taken.
package enum PasswordProblem: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case tooShort, tooLong
    /// It is the one that the member has.
    case same
    /// The member's present password was not given right.
    case wrongPresent
    /// The link was used already, is too old, or never was one.
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
