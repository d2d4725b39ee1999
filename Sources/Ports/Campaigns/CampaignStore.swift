import Foundation
import Model

/// Campaigns, their occurrences and what protects users from too many of them.
package protocol CampaignStore: Sendable {
    /// Makes a draft.
    ///
    /// - Parameter audit: What is written down of it in the same transaction.
    /// - Throws: `DraftFinished` when the draft of its origin has become a campaign before.
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
        matching query: CampaignQuery
    ) async throws -> (campaigns: [Campaign], total: Int)
    /// The content with numbers for its variants: one of the stored campaign keeps its number while
    /// its text stays, and until it was sent. Numbers are never given twice.
    func numbered(
        _ content: CampaignContent,
        of campaign: CampaignID
    ) async throws -> CampaignContent
    /// All texts that a campaign has had, by their numbers.
    func variantRecords(of campaign: CampaignID) async throws -> [CampaignVariantRecord]
    /// Gives a campaign another content and next occurrence, and its reserved sends theirs, if it is
    /// in the state it was read in and all of them still wait. Otherwise nothing changes.
    ///
    /// - Parameter audit: Written down with it; nothing where nothing changes.
    /// - Throws: `DraftFinished` when the draft of its origin was saved before, and `StoreError`
    ///   with code `changed` when the campaign was changed after its origin.
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
    /// Moves a campaign to another state, if it is in one of `origins`, and its open sends with it:
    /// they pause, go on and are cancelled with their campaign, in one transaction. Returns those
    /// that have changed; `nil` when the campaign was in none of the states. Activating a draft or
    /// a stopped campaign begins its time: what happened before triggers nothing.
    ///
    /// - Parameters:
    ///   - version: When it has to have been changed last; any time where it is `nil`.
    ///   - audit: Written down with it; nothing where it could not be moved.
    func moveCampaign(
        _ id: CampaignID,
        from origins: Set<CampaignState>,
        to state: CampaignState,
        nextDueAt: Date?,
        version: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [SendID]?

    /// Active campaigns whose next occurrence has come, the earliest first.
    func dueCampaigns(now: Date) async throws -> [Campaign]
    /// Active campaigns that wait for events.
    func triggeredCampaigns() async throws -> [Campaign]
    /// Ends campaigns whose last occurrence was launched and whose sends are over, and returns them.
    func finishCampaigns(now: Date) async throws -> [CampaignID]
    /// Makes the send of an occurrence, once: a second launch of the same occurrence changes
    /// nothing and answers with the send of the first.
    func launch(_ launch: OccurrenceLaunch, now: Date) async throws -> LaunchOutcome
    /// Makes the send that a request asks for, and before it stores what the request says of its
    /// recipients: in one transaction, so that a refusal leaves nothing behind.
    ///
    /// - Parameter audit: What is written down of a send that is new.
    func trigger(
        _ launch: TriggeredLaunch,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> TriggerOutcome
    /// The newest first.
    func occurrences(of campaign: CampaignID, limit: Int) async throws -> [CampaignOccurrence]
    /// Sends of a campaign that are not over.
    func openSends(of campaign: CampaignID) async throws -> [Send]
    /// The newest first.
    func sends(of campaign: CampaignID, limit: Int, offset: Int) async throws -> [Send]

    func limits(of workspace: WorkspaceID) async throws -> WorkspaceLimits
    func saveLimits(
        _ limits: WorkspaceLimits,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws

    /// Remembers a `send_id` of the REST API. Whether it is new or already of this campaign.
    func saveTrackingID(_ id: String, of campaign: CampaignID, now: Date) async throws -> Bool
}

extension CampaignStore {
    package func saveLimits(
        _ limits: WorkspaceLimits,
        of workspace: WorkspaceID
    ) async throws {
        try await saveLimits(limits, of: workspace, noting: nil)
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

    package func moveCampaign(
        _ id: CampaignID,
        from origins: Set<CampaignState>,
        to state: CampaignState,
        nextDueAt: Date?,
        now: Date
    ) async throws -> [SendID]? {
        try await moveCampaign(
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

/// What a reserved send of a campaign is to say, and when.
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
