import Foundation
import NoroshiWire

/// Whose an installation says it is.
package struct InstallationOwner: Sendable, Hashable {
    package var user: Profile
    /// Whether it has proved so; a nameless user has nothing to prove.
    package var isProved: Bool

    package init(user: Profile, isProved: Bool) {
        self.user = user
        self.isProved = isProved
    }
}
