import Foundation
import NoroshiWire

/// One change of who is who.
package enum IdentityChange: Sendable, Hashable {
    /// Another name for a named user; without one a new user who has only this name.
    case addAlias(name: String, label: String, externalID: String?)
    case renameAlias(label: String, from: String, to: String)
    /// Names a nameless user. One that exists already takes over what is known of the nameless.
    case identify(UserReference, as: String)
    /// Moves everything of the first user to the second, and deletes the first.
    case merge(UserReference, into: UserReference)
    /// The old identifier still finds the user, until it is removed.
    case renameExternalID(from: String, to: String)
    /// Forgets an identifier that was renamed before.
    case removeExternalID(String)
}
