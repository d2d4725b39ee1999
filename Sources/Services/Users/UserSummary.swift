import Model
import NoroshiWire
import Ports

/// A user with their devices, as lists show them.
package struct UserSummary: Sendable {
    package var profile: Profile
    package var devices: [Device]

    package init(profile: Profile, devices: [Device]) {
        self.profile = profile
        self.devices = devices
    }

    /// First and last name; empty when unknown.
    package var name: String {
        [StandardAttribute.firstName, .lastName]
            .compactMap { profile.standard[$0]?.stringValue }.joined(separator: " ")
    }

    /// Devices on which pushes are seen.
    package var reachableDevices: Int {
        profile.pushSubscription == .unsubscribed
            ? 0 : devices.count { $0.pushReach == .reachable }
    }
}

/// Everything that is known of a user beside what they did.
package struct UserDetail: Sendable {
    package var summary: UserSummary
    package var aliases: [UserAlias]
    package var apps: [AppID: App]

    package init(summary: UserSummary, aliases: [UserAlias], apps: [AppID: App]) {
        self.summary = summary
        self.aliases = aliases
        self.apps = apps
    }

    /// Whether the device's app requires a proof of who its user is that the device has never
    /// brought.
    package func isUnproved(_ device: Device) -> Bool {
        apps[device.app]?.authentication.mode == .required && !device.isProved(for: summary.profile)
    }
}

/// Whether pushes reach a device.
package enum PushReach: String, Sendable, Hashable, CaseIterable {
    /// A token, and alerts are allowed.
    case reachable
    /// A token, but alerts are off: only background pushes.
    case silentOnly
    /// No token, or one that the push service has refused.
    case unreachable
}

extension Device {
    package var pushReach: PushReach {
        switch push?.authorization {
        case nil: .unreachable
        case .authorized, .provisional, .ephemeral: .reachable
        case .denied, .notDetermined: .silentOnly
        }
    }
}
