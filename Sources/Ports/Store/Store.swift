import Foundation

/// Everything the services keep. One adapter for each database, each with its own SQL; one
/// conformance suite (`StoreConformance` in the tests) runs on all of them.
///
/// Every verb is one transaction: it has happened as a whole when the call returns, and not at all
/// when it throws. Nothing waits for a network inside one.
package typealias Store = AccountStore & ProfileStore & IngestStore & SendStore & DispatchStore
    & ReportStore & IdentityStore & CampaignStore & PlanStore & TriggerStore & CampaignReportStore
    & SegmentStore & AudienceRowStore & NewsStore & AuditStore & EventCatalogStore
    & ContentBlockStore & CatalogStore & SecretStore & ExportStore & LedgerStore & AnalyticsStore
    & SubscriptionStore & DispatchListStore & BulkStore & ContactStore & UserRowStore
    & InAppMessageStore & UserHistoryStore & UnreadableRowStore & ExportLinkStore
    & MemberDirectoryStore & SyncJobStore & PreferenceCenterStore & HealthStore & SignInStore
    & DraftStore & WorkspaceStore & PasswordStore & WrittenContentStore
