import Foundation

/// A message that is sent to an audience by rule: once, repeatedly, or after an event.
package struct Campaign: Sendable, Hashable {
    package var id: CampaignID
    package var workspace: WorkspaceID
    /// The identifier of the REST API.
    package var apiID: UUID
    package var state: CampaignState
    package var content: CampaignContent
    package var createdAt: Date
    package var updatedAt: Date
    /// The time of the last activation; earlier events trigger nothing.
    package var activatedAt: Date?
    /// The time of the next launch; `nil` if there is none.
    package var nextDueAt: Date?
    package var firstSentAt: Date?
    package var lastSentAt: Date?

    package init(
        id: CampaignID,
        workspace: WorkspaceID,
        apiID: UUID,
        state: CampaignState,
        content: CampaignContent,
        createdAt: Date,
        updatedAt: Date,
        activatedAt: Date? = nil,
        nextDueAt: Date? = nil,
        firstSentAt: Date? = nil,
        lastSentAt: Date? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.apiID = apiID
        self.state = state
        self.content = content
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.activatedAt = activatedAt
        self.nextDueAt = nextDueAt
        self.firstSentAt = firstSentAt
        self.lastSentAt = lastSentAt
    }
}

/// The state of a campaign.
///
/// `draft → active ⇄ paused`; `stopped` from both; a stopped campaign can be activated again. All
/// except running campaigns can be `archived`.
package enum CampaignState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Being edited; sends nothing.
    case draft
    case active
    /// Launches nothing; its running sends are paused too.
    case paused
    /// Ended by a member, or because its last occurrence was launched.
    case stopped
    /// Hidden from lists.
    case archived
}
