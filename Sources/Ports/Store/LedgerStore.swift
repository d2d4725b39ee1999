import Foundation
import Model

/// The ledger row by row, to look into and to compare with what providers say.
package protocol LedgerStore: Sendable {
    /// Rows of a send in the order of their devices, after `device`.
    func ledger(of send: SendID, after device: DeviceID?, limit: Int) async throws -> [LedgerRow]
    /// The rows of a send that belong to a user or to one of the user's devices.
    func ledger(of send: SendID, profile: ProfileID) async throws -> [LedgerRow]
    /// Whether a user is in an audience that names users or everyone; `nil` for a segment, which
    /// only the audience's own service evaluates.
    func isMember(_ profile: ProfileID, of audience: Audience) async throws -> Bool?
    /// The user's history with a campaign's send: variant, control group; `nil` without one.
    func entry(of profile: ProfileID, in send: SendID) async throws -> CampaignEntry?
}

/// One row of the ledger with all that is known of it.
package struct LedgerRow: Sendable, Hashable {
    package var device: DeviceID
    package var profile: ProfileID
    package var state: DispatchState
    package var reason: String?
    /// How often it has been tried.
    package var attempts: Int
    /// When a row that waits is due.
    package var dueAt: Date
    package var providerID: String?
    package var variant: Int?
    package var acceptedAt: Date?
    package var receivedAt: Date?
    package var openedAt: Date?
    package var influencedAt: Date?
    package var dismissedAt: Date?
    package var updatedAt: Date
    /// The device's token now.
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
