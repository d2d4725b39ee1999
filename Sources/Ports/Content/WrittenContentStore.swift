import Foundation
import Model

/// All content that members have written in a workspace, read and changed as a whole.
package protocol WrittenContentStore: Sendable {
    /// A snapshot of the content of a workspace; `nil` if the workspace does not exist. Rows that
    /// cannot be read are left out.
    func writtenContent(of workspace: WorkspaceID) async throws -> WrittenContent?
    /// The state from which a change of the content would start; `nil` if the workspace does not exist.
    ///
    /// - Parameter identifiers: Those of them that rows of other workspaces use are named.
    func writtenContentState(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>
    ) async throws -> WrittenContentState?
    /// Stores the changes that `change` makes to the content, with an audit record: all of it, or
    /// nothing if `change` throws or a name is taken.
    ///
    /// - Parameter identifiers: Those of them that rows of other workspaces use are passed to
    ///   `change`.
    /// - Throws: `StoreError` with code `exists` if a name is taken, and any error of `change`.
    func changeWrittenContent<Outcome: Sendable>(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>,
        now: Date,
        _ change:
            @escaping @Sendable (WrittenContentState) throws -> (WrittenContentChanges, Outcome)
    ) async throws -> Outcome
}

/// The content of a workspace without the items of its catalogs, including archived segments,
/// campaigns, in-app messages and journeys.
package struct WrittenContent: Sendable {
    package var settings: WorkspaceSettings
    package var limits: MessagingLimits
    package var groups: [SubscriptionGroup] = []
    package var blocks: [ContentBlock] = []
    package var catalogs: [Catalog] = []
    package var segments: [StoredSegment] = []
    package var lists: [UploadedList] = []
    /// In order of creation.
    package var campaigns: [Campaign] = []
    package var inAppMessages: [InAppMessageDefinition] = []
    /// In order of creation.
    package var news: [NewsItem] = []
    package var centers: [PreferenceCenter] = []
    /// In order of creation.
    package var journeys: [Journey] = []
    package var reports: [SavedReport] = []

    package init(settings: WorkspaceSettings, limits: MessagingLimits) {
        self.settings = settings
        self.limits = limits
    }
}

/// The state from which a change of all content starts.
package struct WrittenContentState: Sendable {
    package var content: WrittenContent
    /// Those of the given identifiers that belong to other workspaces.
    package var taken: Set<UUID>
    /// Campaigns with unfinished sends.
    package var sending: Set<CampaignID>
    /// The ids that the next rows get; further ones follow.
    package var nextSegment: Int64
    package var nextCampaign: Int64
    package var nextNews: Int64

    package init(
        content: WrittenContent,
        taken: Set<UUID>,
        sending: Set<CampaignID>,
        nextSegment: Int64,
        nextCampaign: Int64,
        nextNews: Int64
    ) {
        self.content = content
        self.taken = taken
        self.sending = sending
        self.nextSegment = nextSegment
        self.nextCampaign = nextCampaign
        self.nextNews = nextNews
    }
}

/// Rows to insert, or to replace by identity. Other rows, and items of catalogs that are equal
/// already, stay unchanged.
package struct WrittenContentChanges: Sendable {
    package var settings: WorkspaceSettings?
    package var limits: MessagingLimits?
    package var groups: [SubscriptionGroup] = []
    package var blocks: [ContentBlock] = []
    /// With their fields and selections.
    package var catalogs: [Catalog] = []
    /// By the names of their catalogs.
    package var items: [String: [CatalogItem]] = [:]
    package var segments: [StoredSegment] = []
    package var campaigns: [Campaign] = []
    package var inAppMessages: [InAppMessageDefinition] = []
    package var news: [NewsItem] = []
    package var centers: [PreferenceCenter] = []
    /// Only their drafts and whether they are archived; new ones get their numbers when they are
    /// stored.
    package var journeys: [Journey] = []
    /// Where and when they are sent stays what it is.
    package var reports: [SavedReport] = []
    /// The files that say all this, in place of those before; `nil` keeps them.
    package var files: [FolderFile]?
    /// Written if anything is changed.
    package var audit: AuditRecord

    package init(audit: AuditRecord) {
        self.audit = audit
    }
}
