import Foundation

/// A lane that is not used for now, and why.
package struct ClosedLane: Sendable, Hashable, Codable {
    package var lane: DeliveryLane
    package var reason: String
    package var since: Date
    /// When it is tried again.
    package var until: Date

    package init(lane: DeliveryLane, reason: String, since: Date, until: Date) {
        self.lane = lane
        self.reason = reason
        self.since = since
        self.until = until
    }
}
