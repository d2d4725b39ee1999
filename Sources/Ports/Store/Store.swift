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

/// What a store throws when it cannot do its work.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The database cannot be opened, reached or written; the same again later may work.
        case unavailable
        /// Another server has the database.
        case taken
        /// A row with this unique value exists already.
        case exists
        /// Somebody else has changed it since it was read.
        case changed
        /// What is stored cannot be read; the file is damaged or from a newer version.
        case unreadable
        /// The store is not what answers this.
        case unsupported
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
