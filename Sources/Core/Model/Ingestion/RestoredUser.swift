import Foundation

/// What an export knows of a user beyond the attributes: with it a user who is not here yet comes
/// back as the same one.
package struct RestoredUser: Sendable, Hashable {
    /// A device and the app that it has, by the app's bundle identifier.
    package struct OwnDevice: Sendable, Hashable {
        /// Its `id`, `app` and `profile` mean nothing outside of the store that it comes from.
        package var device: Device
        package var app: String

        package init(_ device: Device, app: String) {
            self.device = device
            self.app = app
        }
    }

    package var publicID: UUID
    package var anonymousID: UUID?
    package var createdAt: Date
    package var sessionCount: Int
    package var firstSessionAt: Date?
    package var lastSessionAt: Date?
    package var aliases: [UserAlias]
    package var devices: [OwnDevice]

    package init(publicID: UUID, createdAt: Date) {
        self.publicID = publicID
        self.createdAt = createdAt
        sessionCount = 0
        aliases = []
        devices = []
    }
}
