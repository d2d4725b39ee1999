import Model

/// The rules for members' passwords.
package enum PasswordRule {
    /// In characters.
    package static let length = 10...1_000
    static let longestInBytes = 4 * 1_000

    static func check(_ password: String) throws(ValidationError) {
        guard password.count >= length.lowerBound else {
            throw ValidationError(
                .password(.password),
                .charactersAtLeast,
                ["count": "\(length.lowerBound)"]
            )
        }
        guard password.count <= length.upperBound, password.utf8.count <= longestInBytes else {
            throw ValidationError(
                .password(.password),
                .charactersAtMost,
                ["count": "\(length.upperBound)"]
            )
        }
    }
}
