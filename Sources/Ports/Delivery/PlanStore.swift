import Foundation
import Model

/// What the planning of a campaign's send reads and writes: users in, rows of the ledger out.
package protocol PlanStore: Sendable {
    /// Users of a workspace in ascending order, after `cursor`.
    func profiles(
        in workspace: WorkspaceID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]
    /// What is to be known of these users for a send; users who are gone are left out.
    ///
    /// - Parameters:
    ///   - campaign: Whose earlier launches are asked for whenever they were; of other campaigns
    ///     only those since `start`.
    ///   - send: Launches from this one on are not looked at; `nil` looks at all.
    ///   - reach: Users with another subscription have no device that can be reached.
    func recipients(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        reaching reach: RecipientReach,
        campaign: CampaignID?,
        contactsSince start: Date,
        before send: SendID?
    ) async throws -> [CampaignRecipient]
    /// The user after whom planning goes on; `nil` at the beginning or when the send is not being
    /// planned.
    func planCursor(of send: SendID) async throws -> ProfileID?
    /// Writes a chunk into the ledger and moves the cursor, if it still is where the chunk began.
    /// Whether it was.
    func commitPlan(_ chunk: PlanChunk, of send: SendID, now: Date) async throws -> Bool
    /// How many users were left out, by reason.
    func exclusions(of send: SendID) async throws -> [String: Int]

    /// Sends whose recipients are still to be listed because they are frozen.
    func sendsToExtract() async throws -> [Send]
    func extractionCursor(of send: SendID) async throws -> ProfileID?
    /// Lists more recipients of a frozen send, if the cursor still is at `origin`. Whether it was.
    func list(
        _ profiles: [ProfileID],
        asRecipientsOf send: SendID,
        after origin: ProfileID?,
        isComplete: Bool
    ) async throws -> Bool
    /// The listed recipients of a frozen send in ascending order.
    func listedRecipients(
        of send: SendID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]
    /// Whether the list of a frozen send has, or had, a user who has no row in the ledger; `nil`
    /// when there is no list that could tell.
    func isListed(_ profile: ProfileID, of send: SendID) async throws -> Bool?

    /// The launches of a campaign that included a user, the newest first.
    func entries(of profile: ProfileID, in campaign: CampaignID) async throws -> [CampaignEntry]
}

/// The next recipients of a send.
package struct PlanChunk: Sendable, Hashable {
    /// One user who gets the message, or is in the control group.
    package struct Entry: Sendable, Hashable {
        package var profile: ProfileID
        package var devices: [DeviceID]
        /// `nil` in the control group, whose members have no row in the ledger.
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
