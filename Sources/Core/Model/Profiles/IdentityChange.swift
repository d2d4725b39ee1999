import Foundation
import NoroshiWire

/// A change of a user's identity.
package enum IdentityChange: Sendable, Hashable {
    /// An alias for a named user; if `externalID` is `nil`, for a new user who has only this alias.
    case addAlias(name: String, label: String, externalID: String?)
    case renameAlias(label: String, from: String, to: String)
    /// Names an anonymous user. If a user with this name exists, that user takes over the data.
    case identify(UserReference, as: String)
    /// Moves all data of the first user to the second, and deletes the first.
    case merge(UserReference, into: UserReference)
    /// Renames the identifier; the old one still finds the user until it is removed.
    case renameExternalID(from: String, to: String)
    /// Removes an identifier that was renamed before.
    case removeExternalID(String)
}
