import Foundation
import Model

/// A link with which a member chooses a password, once.
package struct PasswordLink: Sendable {
    package let member: Member
    package let token: String
    package let expiresAt: Date

    /// Where it leads on the server.
    package var path: String { "/console/password/\(token)" }
}
