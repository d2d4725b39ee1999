import Foundation
import Model

/// The ledger: one row for each message to each device.
package protocol DispatchStore: Sendable {
    /// Takes rows that are due, in the lanes that have room, and marks them as `sending` under a
    /// lease. Rows whose lease has ended are due again. Every running send gets a fair share, and
    /// none more than its own and its workspace's pushes per minute allow.
    func claimDispatches(_ request: DispatchRequest) async throws -> DispatchClaim
    /// Gives back rows that `owner` held when it last stopped, so that they are due at once.
    func releaseDispatches(owner: String, now: Date) async throws -> Int
    /// Records outcomes in one transaction. What a row's holder reports first counts: a row that
    /// nobody holds any more is left alone.
    func record(_ results: [DispatchResult], now: Date) async throws
    /// When the next row is due, if any is waiting.
    func nextDispatchDue() async throws -> Date?

    /// The most pushes a minute of a workspace; `nil` for no limit.
    func pushLimit(of workspace: WorkspaceID) async throws -> Int?
    /// Sets it and writes down who did, in one transaction.
    func setPushLimit(
        _ perMinute: Int?,
        of workspace: WorkspaceID,
        noting audit: AuditRecord
    ) async throws

    /// Replaces what is known of the lanes that `owner` has closed, for people to see.
    func saveClosedLanes(_ lanes: [ClosedLane], owner: String) async throws
    func closedLanes() async throws -> [ClosedLane]
}

/// How much of the ledger a worker wants.
package struct DispatchRequest: Sendable {
    package var limit: Int
    package var owner: String
    package var leaseEnd: Date
    package var now: Date
    /// The most rows of a lane; one that is not named has room for `limit`.
    package var laneLimits: [DeliveryLane: Int]

    package init(
        limit: Int,
        owner: String,
        leaseEnd: Date,
        now: Date,
        laneLimits: [DeliveryLane: Int] = [:]
    ) {
        self.limit = limit
        self.owner = owner
        self.leaseEnd = leaseEnd
        self.now = now
        self.laneLimits = laneLimits
    }
}

/// What a worker got.
package struct DispatchClaim: Sendable {
    package var rows: [ClaimedDispatch]
    /// When there may be more: a row's time comes, or a limit allows the next push.
    package var nextLook: Date?

    package init(rows: [ClaimedDispatch] = [], nextLook: Date? = nil) {
        self.rows = rows
        self.nextLook = nextLook
    }
}

/// A row of the ledger with what is needed to send it.
package struct ClaimedDispatch: Sendable {
    package var send: SendID
    package var workspace: WorkspaceID
    package var device: Device
    package var profile: Profile
    package var app: App
    /// Whom the row was planned for; somebody else may use the device by now.
    package var recipient: ProfileID
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
        recipient: ProfileID,
        attempts: Int
    ) {
        self.send = send
        self.workspace = workspace
        self.device = device
        self.profile = profile
        self.app = app
        self.recipient = recipient
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
        /// The provider cannot be reached: to be tried again at `date`, which was no attempt.
        case postponed(reason: String, at: Date)
    }

    package var send: SendID
    package var device: DeviceID
    package var change: Change
    /// The token the push went to: only this one is retired, not one that came since.
    package var token: String?
    /// Of a push that was accepted: no device will say that it came.
    package var isUnreported = false

    package init(send: SendID, device: DeviceID, change: Change) {
        self.send = send
        self.device = device
        self.change = change
    }
}
