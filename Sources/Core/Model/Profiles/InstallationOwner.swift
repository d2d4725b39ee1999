import Foundation
import NoroshiWire

/// The user that an installation reports.
package struct InstallationOwner: Sendable, Hashable {
    package var user: Profile
    /// Whether the installation was verified for the user; an anonymous user needs no verification.
    package var isProved: Bool

    package init(user: Profile, isProved: Bool) {
        self.user = user
        self.isProved = isProved
    }
}
