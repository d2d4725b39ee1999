import Foundation
import Model

/// A notification that the simulator accepted.
package struct SimulatedPush: Sendable, Hashable {
    /// The value of `apns-id`, the sender's or one made here.
    package var id: String
    package var deviceToken: String
    package var topic: String
    package var environment: APNsEnvironment
    package var pushType: String
    package var priority: Int
    /// Nil when the sender named none; the date 0 means "try once".
    package var expiration: Date?
    package var collapseID: String?
    package var payload: [UInt8]
    package var receivedAt: Date

    /// Whether the service keeps it for a device that is offline.
    func isStorable(now: Date) -> Bool {
        guard let expiration else { return true }
        return expiration > now
    }
}
