import Foundation
import Model

/// The dispatches: one row for each message to each device.
package protocol DispatchStore: Sendable {
    /// Claims due dispatches in the lanes that have capacity, and marks them as `sending` under a
    /// lease. Dispatches with an expired lease are due again. Every running send gets a fair share,
    /// and none exceeds its own and its workspace's limit of pushes per minute.
    func claimDispatches(_ request: ClaimRequest) async throws -> ClaimedBatch
    /// Releases the dispatches that `owner` had claimed when it last stopped, so that they are due
    /// at once; without an owner those that anybody had claimed.
    func releaseLeases(owner: String?, now: Date) async throws -> Int
    /// Records outcomes in one transaction. The first outcome of a claimed dispatch wins. A final
    /// outcome that arrives after its lease expired still counts while the dispatch is queued or
    /// `unknown`; a late retry is ignored.
    func record(_ results: [DispatchUpdate], now: Date) async throws
    /// The time at which the next dispatch is due; `nil` if none is queued.
    func nextDispatchDue() async throws -> Date?

    /// A workspace's maximum number of pushes per minute; `nil` means no limit.
    func pushLimit(of workspace: WorkspaceID) async throws -> Int?
    /// Sets the limit and writes the audit record, in one transaction.
    func setPushLimit(
        _ perMinute: Int?,
        of workspace: WorkspaceID,
        noting audit: AuditRecord
    ) async throws

    /// Replaces the published list of the lanes that `owner` has suspended.
    func saveTrippedLanes(_ lanes: [TrippedLane], owner: String) async throws
    func trippedLanes() async throws -> [TrippedLane]

    // MARK: Looking

    /// The dispatches of a send in ascending order of their devices, those after `cursor` only,
    /// `limit` at most.
    func dispatchList(
        of send: SendID,
        matching filter: DispatchFilter,
        after cursor: DeviceID?,
        limit: Int
    ) async throws -> [DispatchListRow]
    /// Dispatches of a send after `device`, in ascending order of their devices.
    func ledger(of send: SendID, after device: DeviceID?, limit: Int) async throws -> [LedgerRow]
    /// The dispatches of a send that belong to a user or to one of the user's devices.
    func ledger(of send: SendID, profile: ProfileID) async throws -> [LedgerRow]
    /// Whether the workspace no longer keeps who got a send. Its figures are final then.
    func isRemoved(_ send: SendID) async throws -> Bool
    /// Whether a user is in an audience that names users or everyone; `nil` for a segment, which
    /// only the audience service evaluates.
    func isMember(_ profile: ProfileID, of audience: Audience) async throws -> Bool?
    /// What is left to do, of all workspaces; its cost does not depend on the number of dispatches.
    func openWork() async throws -> OpenWork
    /// The user's exposure to a campaign's send: the variant, or the control group; `nil` if there
    /// is none.
    func entry(of profile: ProfileID, in send: SendID) async throws -> CampaignParticipation?
    /// When a user would have got a send as a member of the workspace's control group; `nil` if it
    /// was not withheld.
    func withheld(_ send: SendID, from profile: ProfileID) async throws -> Date?
}

/// The number of dispatches that a worker asks for.
package struct ClaimRequest: Sendable {
    package var limit: Int
    package var owner: String
    package var leaseEnd: Date
    package var now: Date
    /// Maximum number of dispatches per lane; a lane that is not named has capacity for `limit`.
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

/// The dispatches that a worker has claimed.
package struct ClaimedBatch: Sendable {
    package var rows: [ClaimedDispatch]
    /// The earliest time at which another claim may succeed: a dispatch becomes due, or a rate
    /// limit allows the next push.
    package var nextPollAt: Date?

    package init(rows: [ClaimedDispatch] = [], nextPollAt: Date? = nil) {
        self.rows = rows
        self.nextPollAt = nextPollAt
    }
}

/// A dispatch with the data needed to send it.
package struct ClaimedDispatch: Sendable {
    package var send: SendID
    package var workspace: WorkspaceID
    package var device: Device
    package var profile: Profile
    package var app: App
    /// The user for whom the dispatch was planned; another user may use the device by now.
    package var recipient: ProfileID
    /// Number of earlier attempts.
    package var attempts: Int
    /// The index of the user's variant in the launch of the send.
    package var variant: Int?
    /// The data that the message can use besides the profile.
    package var properties = MessageProperties()

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

/// The recorded outcome of one attempt.
package struct DispatchUpdate: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        case accepted(providerID: String?)
        case rejected(reason: String, retiresToken: Bool)
        case unknown(reason: String)
        case skipped(reason: String)
        /// Retry at `date`.
        case retry(reason: String, at: Date)
        /// The provider cannot be reached: retry at `date`. Does not count as an attempt.
        case postponed(reason: String, at: Date)
    }

    package var send: SendID
    package var device: DeviceID
    package var change: Change
    /// The token to which the push was sent: only this one is deleted, not one registered since.
    package var token: String?
    /// For an accepted push: no device will report its arrival.
    package var isUnreported = false

    package init(send: SendID, device: DeviceID, change: Change) {
        self.send = send
        self.device = device
        self.change = change
    }
}
