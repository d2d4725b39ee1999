import Foundation

/// The data about a user in an export, besides the attributes. It restores a user who does not
/// exist here with the same identity.
package struct RestoredUser: Sendable, Hashable {
    /// A device and the bundle identifier of its app.
    package struct OwnDevice: Sendable, Hashable {
        /// Its `id`, `app` and `profile` are meaningless outside of the exporting store.
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
