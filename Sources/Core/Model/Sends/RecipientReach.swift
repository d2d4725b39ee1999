import Foundation

/// Which devices of its users a send reaches.
package struct RecipientReach: Sendable, Hashable {
    /// By what the users have said of pushes.
    package var state: RecipientState
    /// The platforms of which only the device that was used last gets it.
    package var latestOnly: Set<MessagePlatform>

    package init(_ state: RecipientState = .subscribed, latestOnly: Set<MessagePlatform> = []) {
        self.state = state
        self.latestOnly = latestOnly
    }
}

extension SendContent {
    package var reach: RecipientReach {
        RecipientReach(recipients ?? .subscribed, latestOnly: Set(latestDeviceOnly ?? []))
    }
}
