import Foundation
import Model

/// Everything that people have written in a workspace, read and changed as a whole.
package protocol WrittenContentStore: Sendable {
    /// What is written in a workspace at one moment; `nil` where there is no such workspace. Rows
    /// that cannot be read are left out.
    func writtenContent(of workspace: WorkspaceID) async throws -> WrittenContent?
    /// Stores what `change` makes of what is written, and writes down that it was changed: all of
    /// it, or nothing when `change` throws or a name is taken.
    ///
    /// - Parameter identifiers: Those of them that rows of other workspaces have are told to
    ///   `change`.
    /// - Throws: `StoreError` with code `exists` when a name is taken, and whatever `change` throws.
    func changeWrittenContent<Outcome: Sendable>(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>,
        now: Date,
        _ change:
            @escaping @Sendable (WrittenContentState) throws -> (WrittenContentChanges, Outcome)
    ) async throws -> Outcome
}

/// What is written in a workspace, without the items of its catalogs; archived segments, campaigns
/// and in-app messages included.
package struct WrittenContent: Sendable {
    package var settings: WorkspaceSettings
    package var limits: WorkspaceLimits
    package var groups: [SubscriptionGroup] = []
    package var blocks: [ContentBlock] = []
    package var catalogs: [Catalog] = []
    package var segments: [StoredSegment] = []
    package var lists: [UploadedList] = []
    /// In the order of their making.
    package var campaigns: [Campaign] = []
    package var inAppMessages: [StoredInAppMessage] = []
    /// In the order of their making.
    package var news: [NewsItem] = []
    package var centers: [PreferenceCenter] = []

    package init(settings: WorkspaceSettings, limits: WorkspaceLimits) {
        self.settings = settings
        self.limits = limits
    }
}

/// What a change of everything that is written begins with.
package struct WrittenContentState: Sendable {
    package var content: WrittenContent
    /// Those of the identifiers asked for that belong to other workspaces.
    package var taken: Set<UUID>
    /// Campaigns with sends that are not over.
    package var sending: Set<CampaignID>
    /// The numbers that the next rows get; further ones follow.
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

/// Rows that are new or replace those of the same identity; what is not named stays as it is, and
/// so does an item of a catalog that is the same already.
package struct WrittenContentChanges: Sendable {
    package var settings: WorkspaceSettings?
    package var limits: WorkspaceLimits?
    package var groups: [SubscriptionGroup] = []
    package var blocks: [ContentBlock] = []
    /// With their fields and selections.
    package var catalogs: [Catalog] = []
    /// By the names of their catalogs.
    package var items: [String: [CatalogItem]] = [:]
    package var segments: [StoredSegment] = []
    package var campaigns: [Campaign] = []
    package var inAppMessages: [StoredInAppMessage] = []
    package var news: [NewsItem] = []
    package var centers: [PreferenceCenter] = []
    /// Written down when anything is changed.
    package var audit: AuditRecord

    package init(audit: AuditRecord) {
        self.audit = audit
    }
}
