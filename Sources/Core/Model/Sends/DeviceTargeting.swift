import Foundation

/// The devices of its users that a send reaches.
package struct DeviceTargeting: Sendable, Hashable {
    /// The required push subscription of the users.
    package var state: SubscriptionFilter
    /// The platforms on which only the most recently used device gets it.
    package var latestOnly: Set<MessagePlatform>

    package init(_ state: SubscriptionFilter = .subscribed, latestOnly: Set<MessagePlatform> = []) {
        self.state = state
        self.latestOnly = latestOnly
    }
}

extension SendContent {
    package var reach: DeviceTargeting {
        DeviceTargeting(recipients ?? .subscribed, latestOnly: Set(latestDeviceOnly ?? []))
    }
}
