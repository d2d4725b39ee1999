import Foundation

/// How a push is delivered; each transport converts it to its provider's terms.
package struct DeliveryOptions: Sendable, Hashable, Codable {
    /// The time after which the push is not delivered; `nil` uses the provider's own limit.
    package var expiration: Date?
    package var priority: PushPriority
    /// A push replaces an earlier one with the same id on the device; at most 64 bytes.
    package var collapseID: String?

    package init(
        expiration: Date? = nil,
        priority: PushPriority = .high,
        collapseID: String? = nil
    ) {
        self.expiration = expiration
        self.priority = priority
        self.collapseID = collapseID
    }
}

/// How urgent a push is.
package enum PushPriority: String, Sendable, Hashable, Codable, CaseIterable {
    /// At once: APNs 10, FCM high, Web Push high.
    case high = "immediate"
    /// When it suits the device: APNs 5, FCM normal, Web Push normal.
    case normal = "considerate"
    /// Never wakes the device: APNs 1, FCM normal, Web Push very-low.
    case low = "passive"
}
