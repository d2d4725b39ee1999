import Accounts
import Analytics
import Audience
import Campaigns
import Content
import ContentFolders
import Credentials
import Delivery
import Drafts
import Facts
import InAppMessages
import Journeys
import Model
import News
import Rehearsals
import Retention
import Sends
import Users

/// The services that the console needs; one object, which every route and every handler refers to.
package final class ConsoleServices: Sendable {
    let accounts: AccountService
    let secondFactors: SecondFactorService
    let passkeys: PasskeyService
    let openIDProviders: OpenIDProviderService
    let openIDSignIns: OpenIDSignInService
    let members: MemberDirectory
    let workspaces: WorkspaceService
    let apps: AppService
    let credentials: CredentialService
    let sdkKeys: SDKKeyService
    /// The permissions that a key of the REST API can have.
    let apiPermissions: [String]
    let overview: OverviewService
    let sends: SendReports
    let funnels: MessageFunnels
    let composer: PushComposer
    let control: SendControl
    let review: SendReview
    let choices: AudienceChoiceService
    let drafts: DraftService
    let campaigns: CampaignService
    let inApp: InAppMessageService
    let news: NewsService
    let events: EventCatalog
    let activityReports: ReportService
    let questions: ReportQuestionReader
    let savedReports: SavedReportService
    let limits: LimitService
    let calendar: MessageCalendar
    let auditLog: AuditLog
    let system: @Sendable () async throws -> SystemState
    let retention: RetentionService
    let factWebhooks: FactWebhookService
    let explainer: DeliveryExplainer
    let blocks: ContentBlockService
    let catalogs: CatalogService
    let users: UserDirectory
    let identities: UserService
    let profiles: ProfileEditor
    let segments: SegmentService
    let inspector: SegmentInspector
    let vocabulary: SegmentVocabulary
    let lists: UserListService
    let journeys: JourneyService
    let rehearsals: RehearsalService
    let folders: FolderOwnership

    package init(
        accounts: AccountService,
        secondFactors: SecondFactorService,
        passkeys: PasskeyService,
        openIDProviders: OpenIDProviderService,
        openIDSignIns: OpenIDSignInService,
        members: MemberDirectory,
        workspaces: WorkspaceService,
        apps: AppService,
        credentials: CredentialService,
        sdkKeys: SDKKeyService,
        apiPermissions: [String],
        overview: OverviewService,
        sends: SendReports,
        funnels: MessageFunnels,
        composer: PushComposer,
        control: SendControl,
        review: SendReview,
        choices: AudienceChoiceService,
        drafts: DraftService,
        campaigns: CampaignService,
        inApp: InAppMessageService,
        news: NewsService,
        events: EventCatalog,
        activityReports: ReportService,
        questions: ReportQuestionReader,
        savedReports: SavedReportService,
        limits: LimitService,
        calendar: MessageCalendar,
        auditLog: AuditLog,
        system: @escaping @Sendable () async throws -> SystemState,
        retention: RetentionService,
        factWebhooks: FactWebhookService,
        explainer: DeliveryExplainer,
        blocks: ContentBlockService,
        catalogs: CatalogService,
        users: UserDirectory,
        identities: UserService,
        profiles: ProfileEditor,
        segments: SegmentService,
        inspector: SegmentInspector,
        vocabulary: SegmentVocabulary,
        lists: UserListService,
        journeys: JourneyService,
        rehearsals: RehearsalService,
        folders: FolderOwnership
    ) {
        self.accounts = accounts
        self.secondFactors = secondFactors
        self.passkeys = passkeys
        self.openIDProviders = openIDProviders
        self.openIDSignIns = openIDSignIns
        self.members = members
        self.workspaces = workspaces
        self.apps = apps
        self.credentials = credentials
        self.sdkKeys = sdkKeys
        self.apiPermissions = apiPermissions
        self.overview = overview
        self.sends = sends
        self.funnels = funnels
        self.composer = composer
        self.control = control
        self.review = review
        self.choices = choices
        self.drafts = drafts
        self.campaigns = campaigns
        self.inApp = inApp
        self.news = news
        self.events = events
        self.activityReports = activityReports
        self.questions = questions
        self.savedReports = savedReports
        self.limits = limits
        self.calendar = calendar
        self.auditLog = auditLog
        self.system = system
        self.retention = retention
        self.factWebhooks = factWebhooks
        self.explainer = explainer
        self.blocks = blocks
        self.catalogs = catalogs
        self.users = users
        self.identities = identities
        self.profiles = profiles
        self.segments = segments
        self.inspector = inspector
        self.vocabulary = vocabulary
        self.lists = lists
        self.journeys = journeys
        self.rehearsals = rehearsals
        self.folders = folders
    }
}
