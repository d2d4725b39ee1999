import Model
import NoroshiWire
import Ports

/// A user with their devices, for lists.
package struct UserSummary: Sendable {
    package var profile: Profile
    package var devices: [Device]

    package init(profile: Profile, devices: [Device]) {
        self.profile = profile
        self.devices = devices
    }

    /// As the user writes it; empty when unknown.
    package var name: String { profile.fullName }

    /// Number of devices that show pushes.
    package var reachableDevices: Int {
        profile.pushSubscription == .unsubscribed
            ? 0 : devices.count { $0.pushReach == .reachable }
    }
}

/// All data of a user except activity.
package struct UserDetail: Sendable {
    package var summary: UserSummary
    package var aliases: [UserAlias]
    package var apps: [AppID: App]

    package init(summary: UserSummary, aliases: [UserAlias], apps: [AppID: App]) {
        self.summary = summary
        self.aliases = aliases
        self.apps = apps
    }

    /// Whether the device's app requires verified users and the device was never verified for this
    /// one.
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
    /// No token, or one that the push provider has rejected.
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
