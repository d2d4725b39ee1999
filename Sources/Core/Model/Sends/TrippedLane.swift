import Foundation

/// A suspended lane, with the reason.
package struct TrippedLane: Sendable, Hashable, Codable {
    package var lane: DeliveryLane
    package var reason: String
    package var since: Date
    /// The time of the next attempt.
    package var until: Date

    package init(lane: DeliveryLane, reason: String, since: Date, until: Date) {
        self.lane = lane
        self.reason = reason
        self.since = since
        self.until = until
    }
}
