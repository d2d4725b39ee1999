import Foundation
import Model

/// The ledger: one row for each message to each device.
package protocol DispatchStore: Sendable {
    /// Takes up to `limit` rows that are due and marks them as `sending` by `owner` until
    /// `leaseEnd`. Rows whose lease has ended are due again. Every running send gets a fair share.
    func claimDispatches(
        limit: Int,
        owner: String,
        leaseEnd: Date,
        now: Date
    ) async throws -> [ClaimedDispatch]
    /// Gives back rows that `owner` held when it last stopped, so that they are due at once.
    func releaseDispatches(owner: String) async throws -> Int
    /// Records the outcomes of a chunk in one transaction.
    func record(_ results: [DispatchResult], now: Date) async throws
    /// When the next row is due, if any is waiting.
    func nextDispatchDue() async throws -> Date?
}

/// A row of the ledger with what is needed to send it.
package struct ClaimedDispatch: Sendable {
    package var send: SendID
    package var workspace: WorkspaceID
    package var device: Device
    package var profile: Profile
    package var app: App
    /// How often it has been tried before.
    package var attempts: Int
    /// The index of the user's variant in the launch of the send.
    package var variant: Int?
    /// What the message can read beside the profile.
    package var properties = DispatchProperties()

    package init(
        send: SendID,
        workspace: WorkspaceID,
        device: Device,
        profile: Profile,
        app: App,
        attempts: Int
    ) {
        self.send = send
        self.workspace = workspace
        self.device = device
        self.profile = profile
        self.app = app
        self.attempts = attempts
    }

    package var dispatch: DispatchID {
        DispatchID(workspace: workspace, send: send, device: device.id)
    }
}

/// What is recorded of one attempt.
package struct DispatchResult: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        case accepted(providerID: String?)
        case rejected(reason: String, retiresToken: Bool)
        case unknown(reason: String)
        case skipped(reason: String)
        /// To be tried again at `date`.
        case retry(reason: String, at: Date)
    }

    package var send: SendID
    package var device: DeviceID
    package var change: Change

    package init(send: SendID, device: DeviceID, change: Change) {
        self.send = send
        self.device = device
        self.change = change
    }
}
