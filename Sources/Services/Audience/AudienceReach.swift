/// The reach of a push.
package struct AudienceReach: Sendable, Hashable {
    package var users: Int
    /// Devices with a push token.
    package var devices: Int

    package init(users: Int, devices: Int) {
        self.users = users
        self.devices = devices
    }
}
