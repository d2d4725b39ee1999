import Foundation
import Model

/// Reads the users and writes the dispatches when a campaign's send is planned.
package protocol PlanStore: Sendable {
    /// Users of a workspace in ascending order, after `cursor`.
    func profiles(
        in workspace: WorkspaceID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]
    /// The data that planning needs about these users; deleted users are left out.
    ///
    /// - Parameters:
    ///   - campaign: The campaign being planned. Its exposures since `own` are read; those of other
    ///     campaigns only since `start`.
    ///   - send: Only exposures to earlier sends are read; `nil` reads all of them.
    ///   - reach: Users with another subscription have no reachable device.
    func recipients(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        reaching reach: DeviceTargeting,
        campaign: CampaignID?,
        ownContactsSince own: Date,
        contactsSince start: Date,
        before send: SendID?
    ) async throws -> [CampaignRecipient]
    /// The user after whom planning continues; `nil` at the beginning, or if the send is not being
    /// planned.
    func planCursor(of send: SendID) async throws -> ProfileID?
    /// Writes the dispatches of a batch and moves the cursor, if it is still where the batch began.
    ///
    /// - Returns: `false` if the cursor has moved; nothing is written then.
    func commitPlan(_ chunk: RecipientBatch, of send: SendID, now: Date) async throws -> Bool
    /// Number of users left out, by reason.
    func exclusions(of send: SendID) async throws -> [String: Int]

    /// Sends with a fixed audience whose recipients are not listed completely yet.
    func sendsAwaitingSnapshot() async throws -> [Send]
    func snapshotCursor(of send: SendID) async throws -> ProfileID?
    /// Lists more recipients of a send with a fixed audience, if the cursor is still at `origin`.
    ///
    /// - Returns: `false` if the cursor has moved; nothing is written then.
    func list(
        _ profiles: [ProfileID],
        asRecipientsOf send: SendID,
        after origin: ProfileID?,
        isComplete: Bool
    ) async throws -> Bool
    /// The listed recipients of a send with a fixed audience, in ascending order.
    func snapshotRecipients(
        of send: SendID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]
    /// Whether a user without a dispatch is, or was, on the list of a send with a fixed audience;
    /// `nil` if no list exists that could tell.
    func snapshotContains(_ profile: ProfileID, of send: SendID) async throws -> Bool?

    /// The launches of a campaign that included a user, the newest first.
    func entries(of profile: ProfileID, in campaign: CampaignID) async throws
        -> [CampaignParticipation]
}

/// The next recipients of a send.
package struct RecipientBatch: Sendable, Hashable {
    /// A user who gets the message or is in the control group.
    package struct Entry: Sendable, Hashable {
        package var profile: ProfileID
        package var devices: [DeviceID]
        /// `nil` in the control group, whose users have no dispatch.
        package var variant: Int?
        package var isControl: Bool
        package var dueAt: Date

        package init(
            profile: ProfileID,
            devices: [DeviceID],
            variant: Int?,
            isControl: Bool,
            dueAt: Date
        ) {
            self.profile = profile
            self.devices = devices
            self.variant = variant
            self.isControl = isControl
            self.dueAt = dueAt
        }
    }

    package var campaign: CampaignID?
    package var countsForCaps: Bool
    package var origin: ProfileID?
    package var end: ProfileID?
    package var entries: [Entry]
    /// Members of the workspace's control group who would have got the message, and when.
    package var withheld: [ProfileID: Date] = [:]
    package var exclusions: [String: Int]
    package var isComplete: Bool

    package init(
        campaign: CampaignID?,
        countsForCaps: Bool,
        origin: ProfileID?,
        end: ProfileID?,
        entries: [Entry] = [],
        exclusions: [String: Int] = [:],
        isComplete: Bool
    ) {
        self.campaign = campaign
        self.countsForCaps = countsForCaps
        self.origin = origin
        self.end = end
        self.entries = entries
        self.exclusions = exclusions
        self.isComplete = isComplete
    }
}

extension PlanStore {
    /// The same with all exposures of the campaign.
    package func recipients(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        reaching reach: DeviceTargeting,
        campaign: CampaignID?,
        contactsSince start: Date,
        before send: SendID?
    ) async throws -> [CampaignRecipient] {
        try await recipients(
            profiles,
            in: workspace,
            reaching: reach,
            campaign: campaign,
            ownContactsSince: .distantPast,
            contactsSince: start,
            before: send
        )
    }
}
