import Reasons

/// Why the identity of a user is not changed.
///
/// Only programs read it: it is said in English.
package enum IdentityReason: String, ReasonCode {
    package static let family = ReasonFamily.identity

    case aliasTaken = "'{name}' in '{label}' belongs to another user"
    case externalIDTaken = "the external_id '{id}' is in use"
    case hasAlias = "'{id}' has an alias in '{label}' already"
    case identified = "the user is identified already, as '{id}'"
    case keepUnknown = "identifier_to_keep: there is no such user"
    case mergeUnknown = "identifier_to_merge: there is no such user"
    case neverRenamed = "'{id}' is no external_id that was renamed before"
    case noAlias = "there is no user with the alias '{name}' in '{label}'"
    case noExternalID = "there is no user with the external_id '{id}'"
    case noUser = "there is no such user"
    case sameUser = "both identifiers are of the same user"
}
