import Accounts
import Analytics
import Audience
import Campaigns
import Content
import ContentFiles
import ContentFolders
import Delivery
import Facts
import InAppMessages
import Ingestion
import Journeys
import News
import Rehearsals
import Retention
import Sends
import Users

/// The services that the API needs; one object, which every route and every handler refers to.
package final class APIServices: Sendable {
    let accounts: AccountService
    let members: MemberDirectory
    let secondFactors: SecondFactorService
    let passkeys: PasskeyService
    let apps: AppService
    let workspaces: WorkspaceService
    let retention: RetentionService
    let facts: FactService
    let factWebhooks: FactWebhookService
    let audit: AuditLog
    let sdkKeys: SDKKeyService
    let ingestion: IngestionService
    let syncs: FileSyncService
    let users: UserService
    let directory: UserDirectory
    let archive: UserArchive
    let links: ExportLinkService
    /// Notifies URLs that a file can be downloaded; `nil` if this server makes no such calls.
    let callback: ExportCallback?
    let subscriptions: SubscriptionGroupService
    let preferenceCenters: PreferenceCenterService
    let audience: SegmentationService
    let segments: SegmentService
    let series: SeriesService
    let activityReports: ReportService
    let questions: ReportQuestionReader
    let savedReports: SavedReportService
    let limits: LimitService
    let events: EventCatalog
    let composer: PushComposer
    let control: SendControl
    let campaigns: CampaignService
    let reports: CampaignReports
    let funnels: MessageFunnels
    let explainer: DeliveryExplainer
    let journeys: JourneyService
    let journeyForms: JourneyForms
    let inAppMessages: InAppMessageService
    let news: NewsService
    let blocks: ContentBlockService
    let catalogs: CatalogService
    let folders: FolderOwnership
    let rehearsals: RehearsalService
    let contentFiles: ContentFileService

    package init(
        accounts: AccountService,
        members: MemberDirectory,
        secondFactors: SecondFactorService,
        passkeys: PasskeyService,
        apps: AppService,
        workspaces: WorkspaceService,
        retention: RetentionService,
        facts: FactService,
        factWebhooks: FactWebhookService,
        audit: AuditLog,
        sdkKeys: SDKKeyService,
        ingestion: IngestionService,
        syncs: FileSyncService,
        users: UserService,
        directory: UserDirectory,
        archive: UserArchive,
        links: ExportLinkService,
        callback: ExportCallback?,
        subscriptions: SubscriptionGroupService,
        preferenceCenters: PreferenceCenterService,
        audience: SegmentationService,
        segments: SegmentService,
        series: SeriesService,
        activityReports: ReportService,
        questions: ReportQuestionReader,
        savedReports: SavedReportService,
        limits: LimitService,
        events: EventCatalog,
        composer: PushComposer,
        control: SendControl,
        campaigns: CampaignService,
        reports: CampaignReports,
        funnels: MessageFunnels,
        explainer: DeliveryExplainer,
        journeys: JourneyService,
        journeyForms: JourneyForms,
        inAppMessages: InAppMessageService,
        news: NewsService,
        blocks: ContentBlockService,
        catalogs: CatalogService,
        folders: FolderOwnership,
        rehearsals: RehearsalService,
        contentFiles: ContentFileService
    ) {
        self.accounts = accounts
        self.members = members
        self.secondFactors = secondFactors
        self.passkeys = passkeys
        self.apps = apps
        self.workspaces = workspaces
        self.retention = retention
        self.facts = facts
        self.factWebhooks = factWebhooks
        self.audit = audit
        self.sdkKeys = sdkKeys
        self.ingestion = ingestion
        self.syncs = syncs
        self.users = users
        self.directory = directory
        self.archive = archive
        self.links = links
        self.callback = callback
        self.subscriptions = subscriptions
        self.preferenceCenters = preferenceCenters
        self.audience = audience
        self.segments = segments
        self.series = series
        self.activityReports = activityReports
        self.questions = questions
        self.savedReports = savedReports
        self.limits = limits
        self.events = events
        self.composer = composer
        self.control = control
        self.campaigns = campaigns
        self.reports = reports
        self.funnels = funnels
        self.explainer = explainer
        self.journeys = journeys
        self.journeyForms = journeyForms
        self.inAppMessages = inAppMessages
        self.news = news
        self.blocks = blocks
        self.catalogs = catalogs
        self.folders = folders
        self.rehearsals = rehearsals
        self.contentFiles = contentFiles
    }
}
