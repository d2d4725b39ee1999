import Foundation

/// All persistence that the services need. `StoreSQL` is its one adapter, over SQLite or PostgreSQL;
/// one conformance suite (`StoreConformance` in the tests) runs on both.
///
/// Every method is one transaction: it is complete when the call returns, and has no effect when it
/// throws. No transaction waits for a network.
package typealias Store = AccountStore & ProfileStore & IngestStore & SendStore & DispatchStore
    & ReportStore & IdentityStore & CampaignStore & PlanStore & TriggerStore & CampaignReportStore
    & SegmentStore & UserChangeLog & NewsStore & AuditStore & EventCatalogStore
    & ContentBlockStore & CatalogStore & SecretStore & ExportStore & AnalyticsStore
    & SubscriptionStore & BulkStore & EngagementStore & UserRowStore
    & InAppMessageStore & UserHistoryStore & UnreadableRowStore & ExportLinkStore
    & MemberDirectoryStore & SyncJobStore & PreferenceCenterStore & HealthStore & SignInStore
    & ConsoleSessionStore & SecondFactorStore & PasskeyStore & DraftStore & WorkspaceStore
    & PasswordStore
    & WrittenContentStore & FolderFileStore
    & ExperimentStore
    & SendingHoldStore & MessageFunnelStore & SavedReportStore
    & JourneyStore & JourneyRunStore & JourneyReportStore
    & JourneyCallStore & WorkAgendaStore & RetentionStore & FactStore & UserEventIndexStore
    & FactWebhookStore & OpenIDStore & MembershipStore & SharedPeopleStore & ServerStore
    & SecretKeyStore & RehearsalStore
