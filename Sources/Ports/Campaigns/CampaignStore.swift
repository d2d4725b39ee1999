import Foundation
import Model

/// Campaigns, their occurrences and the limits that protect users from too many of them.
package protocol CampaignStore: Sendable {
    /// Creates a draft.
    ///
    /// - Parameter audit: The audit record written in the same transaction.
    /// - Throws: `DraftFinishedError` if the draft of its origin has already become a campaign.
    func createCampaign(
        _ content: CampaignContent,
        apiID: UUID,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: @escaping @Sendable (CampaignID) -> AuditRecord?,
        now: Date
    ) async throws -> Campaign
    func campaign(_ id: CampaignID) async throws -> Campaign?
    func campaign(apiID: UUID, in workspace: WorkspaceID) async throws -> Campaign?
    func campaigns(
        in workspace: WorkspaceID,
        matching query: CampaignQuery,
        withJourneys: Bool
    ) async throws -> (campaigns: [Campaign], total: Int)
    /// The content with numbers for its variants. A variant of the stored campaign keeps its number
    /// while its text is unchanged, or until it is sent. Numbers are never reused.
    func numbered(
        _ content: CampaignContent,
        of campaign: CampaignID
    ) async throws -> CampaignContent
    /// All texts that a campaign has had, by their numbers.
    func variantRecords(of campaign: CampaignID) async throws -> [CampaignVariantRecord]
    /// Replaces the content and the next occurrence of a campaign, and updates its scheduled sends,
    /// if it is still in the state in which it was read and all of these sends are still
    /// `scheduled`. Otherwise nothing changes.
    ///
    /// - Parameter audit: Written in the same transaction; not if nothing changes.
    /// - Throws: `DraftFinishedError` if the draft of its origin was already saved, and `StoreError`
    ///   with code `changed` if the campaign was changed after its origin.
    func updateCampaign(
        _ id: CampaignID,
        in state: CampaignState,
        content: CampaignContent,
        nextDueAt: Date?,
        reserved: [ReservedSend],
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CampaignUpdate
    /// Moves a campaign to another state, if it is in one of `origins`, together with its open
    /// sends: they are paused, resumed and cancelled with their campaign, in one transaction.
    /// Returns the changed sends; `nil` if the campaign was in none of these states. Activating a
    /// draft or a stopped campaign starts its time: earlier events trigger nothing.
    ///
    /// - Parameters:
    ///   - version: The time at which it must have been changed last; `nil` accepts any.
    ///   - audit: Written in the same transaction; not if the campaign could not be moved.
    func transitionCampaign(
        _ id: CampaignID,
        from origins: Set<CampaignState>,
        to state: CampaignState,
        nextDueAt: Date?,
        version: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [SendID]?

    /// Active campaigns with a due occurrence, the earliest first.
    func dueCampaigns(now: Date) async throws -> [Campaign]
    /// Active campaigns that wait for events.
    func triggeredCampaigns() async throws -> [Campaign]
    /// Finishes campaigns whose last occurrence was launched and whose sends are finished, and
    /// returns them.
    func markFinishedCampaigns(now: Date) async throws -> [CampaignID]
    /// Creates the send of an occurrence once: a second launch of the same occurrence changes
    /// nothing and returns the send of the first.
    func launch(_ launch: LaunchRequest, now: Date) async throws -> LaunchOutcome
    /// Stores the data that a request contains about its recipients, and creates the send it asks
    /// for, in one transaction: if it is rejected, nothing is stored.
    ///
    /// - Parameter audit: Makes the audit record of a new send.
    func trigger(
        _ launch: TriggeredLaunch,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> TriggerOutcome
    /// The newest first.
    func occurrences(of campaign: CampaignID, limit: Int) async throws -> [CampaignOccurrence]
    /// Unfinished sends of a campaign.
    func openSends(of campaign: CampaignID) async throws -> [Send]
    /// The newest first.
    func sends(of campaign: CampaignID, limit: Int, offset: Int) async throws -> [Send]

    func limits(of workspace: WorkspaceID) async throws -> MessagingLimits
    /// Changes the limits as they are at that moment.
    ///
    /// - Parameter change: Returns the record of what it has done; what it leaves as it was is not
    ///   written.
    /// - Returns: The limits afterwards.
    func changeLimits(
        of workspace: WorkspaceID,
        _ change: @escaping @Sendable (inout MessagingLimits) -> AuditRecord?
    ) async throws -> MessagingLimits

    /// Stores a `send_id` of the REST API.
    ///
    /// - Returns: Whether it is new or already belongs to this campaign.
    func saveTrackingID(_ id: String, of campaign: CampaignID, now: Date) async throws -> Bool
}

extension CampaignStore {
    /// Without the messages of journeys.
    package func campaigns(
        in workspace: WorkspaceID,
        matching query: CampaignQuery
    ) async throws -> (campaigns: [Campaign], total: Int) {
        try await campaigns(in: workspace, matching: query, withJourneys: false)
    }

    package func saveLimits(
        _ limits: MessagingLimits,
        of workspace: WorkspaceID
    ) async throws {
        _ = try await changeLimits(of: workspace) { stored in
            stored = limits
            return nil
        }
    }

    package func createCampaign(
        _ content: CampaignContent,
        apiID: UUID,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> Campaign {
        try await createCampaign(
            content,
            apiID: apiID,
            in: workspace,
            from: .direct,
            noting: { _ in nil },
            now: now
        )
    }

    package func updateCampaign(
        _ id: CampaignID,
        in state: CampaignState,
        content: CampaignContent,
        nextDueAt: Date?,
        reserved: [ReservedSend],
        now: Date
    ) async throws -> CampaignUpdate {
        try await updateCampaign(
            id,
            in: state,
            content: content,
            nextDueAt: nextDueAt,
            reserved: reserved,
            from: .direct,
            noting: nil,
            now: now
        )
    }

    package func transitionCampaign(
        _ id: CampaignID,
        from origins: Set<CampaignState>,
        to state: CampaignState,
        nextDueAt: Date?,
        now: Date
    ) async throws -> [SendID]? {
        try await transitionCampaign(
            id,
            from: origins,
            to: state,
            nextDueAt: nextDueAt,
            version: nil,
            noting: nil,
            now: now
        )
    }
}

/// The new content and time of a scheduled send of a campaign.
package struct ReservedSend: Sendable {
    package var id: SendID
    package var content: SendContent
    package var scheduledAt: Date

    package init(id: SendID, content: SendContent, scheduledAt: Date) {
        self.id = id
        self.content = content
        self.scheduledAt = scheduledAt
    }
}
