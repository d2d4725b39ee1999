import Foundation

/// A dispatch with all of its data.
package struct LedgerRow: Sendable, Hashable {
    package var device: DeviceID
    package var profile: ProfileID
    package var state: DispatchState
    package var reason: String?
    /// Number of attempts.
    package var attempts: Int
    /// When a queued dispatch is due.
    package var dueAt: Date
    package var providerID: String?
    package var variant: Int?
    package var acceptedAt: Date?
    package var receivedAt: Date?
    package var openedAt: Date?
    package var influencedAt: Date?
    package var dismissedAt: Date?
    package var updatedAt: Date
    /// The device's current token.
    package var token: String?

    package init(
        device: DeviceID,
        profile: ProfileID,
        state: DispatchState,
        reason: String?,
        attempts: Int,
        dueAt: Date,
        updatedAt: Date
    ) {
        self.device = device
        self.profile = profile
        self.state = state
        self.reason = reason
        self.attempts = attempts
        self.dueAt = dueAt
        self.updatedAt = updatedAt
    }
}
