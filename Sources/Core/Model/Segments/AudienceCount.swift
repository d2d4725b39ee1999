import Foundation

/// Number of matching users, and of those that a push can reach.
package struct AudienceCount: Sendable, Hashable {
    package var users: Int
    /// Users with a device that shows pushes and who have not unsubscribed.
    package var reachable: Int
    /// Devices that a push can reach, by platform.
    package var devices: [String: Int]

    package init(users: Int = 0, reachable: Int = 0, devices: [String: Int] = [:]) {
        self.users = users
        self.reachable = reachable
        self.devices = devices
    }

    /// All devices that a push can reach.
    package var deviceCount: Int { devices.values.reduce(0, +) }
}
