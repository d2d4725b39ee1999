import Foundation

package struct ExportedUser: Sendable {
    package var profile: Profile
    package var aliases: [UserAlias]
    package var devices: [RestoredUser.OwnDevice]

    package init(
        _ profile: Profile,
        aliases: [UserAlias],
        devices: [RestoredUser.OwnDevice]
    ) {
        self.profile = profile
        self.aliases = aliases
        self.devices = devices
    }
}
