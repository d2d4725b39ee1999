import Foundation

/// A message that is sent to an audience by rule: once, again and again, or when something happens.
package struct Campaign: Sendable, Hashable {
    package var id: CampaignID
    package var workspace: WorkspaceID
    /// The identifier of the REST API.
    package var apiID: UUID
    package var state: CampaignState
    package var content: CampaignContent
    package var createdAt: Date
    package var updatedAt: Date
    /// When it was last activated; what happened before triggers nothing.
    package var activatedAt: Date?
    /// When its next occurrence is launched.
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

/// Where a campaign stands.
///
/// `draft → active ⇄ paused`; `stopped` from both; a stopped one can be activated again. `archived`
/// is for all but the running ones.
package enum CampaignState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Being written; sends nothing.
    case draft
    case active
    /// Launches nothing; sends that run are paused too.
    case paused
    /// Over: by hand, or because its last occurrence was launched.
    case stopped
    /// Out of the lists.
    case archived
}
