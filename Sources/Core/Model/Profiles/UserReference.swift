import Foundation

/// The ways a request can name a user.
package enum UserReference: Sendable, Hashable {
    /// The app's own identifier.
    case external(String)
    /// The anonymous user of an installation, by the id created on the device.
    case anonymous(UUID)
    case alias(name: String, label: String)
    /// The identifier that the server assigned to the profile (`braze_id` in the REST API).
    case profile(UUID)
    case email(String)
    case phone(String)
}
