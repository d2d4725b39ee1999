import Foundation

/// Steps that people go through over days: messages, waits, branches, changes of their data.
package struct Journey: Sendable, Hashable {
    package var id: JourneyID
    package var workspace: WorkspaceID
    /// The identifier of the REST API (`canvas_id`).
    package var apiID: UUID
    package var state: JourneyState
    /// What is being edited; people go through published versions, never through this.
    package var draft: JourneyDefinition
    /// The version that people enter now, from 1; `nil` until the first one is published.
    package var version: Int?
    /// Whether the draft was changed since the version was published.
    package var hasUnpublishedChanges: Bool
    package var createdAt: Date
    package var updatedAt: Date
    /// When it was last started; earlier events let nobody in.
    package var startedAt: Date?
    package var firstEntryAt: Date?
    package var lastEntryAt: Date?

    package init(
        id: JourneyID,
        workspace: WorkspaceID,
        apiID: UUID,
        state: JourneyState,
        draft: JourneyDefinition,
        version: Int? = nil,
        hasUnpublishedChanges: Bool = false,
        createdAt: Date,
        updatedAt: Date,
        startedAt: Date? = nil,
        firstEntryAt: Date? = nil,
        lastEntryAt: Date? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.apiID = apiID
        self.state = state
        self.draft = draft
        self.version = version
        self.hasUnpublishedChanges = hasUnpublishedChanges
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.startedAt = startedAt
        self.firstEntryAt = firstEntryAt
        self.lastEntryAt = lastEntryAt
    }
}

/// The state of a journey.
///
/// `draft → active ⇄ paused`; `draining` and `stopped` from both; a stopped journey can be started
/// again. Drafts and stopped journeys can be `archived`.
package enum JourneyState: String, Sendable, Hashable, Codable, CaseIterable {
    /// No version was published; nobody is in it.
    case draft
    /// People enter and move on.
    case active
    /// Nobody enters or moves on; its messages that were not sent yet wait too. Times of waits go on,
    /// and what people inside do counts when it is resumed.
    case paused
    /// Nobody enters any more; those who are in it go on to the end. Then it is `stopped`.
    case draining
    /// Nobody is in it.
    case stopped
    /// Hidden from lists.
    case archived
}
