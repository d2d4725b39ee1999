import Accounts
import Analytics
import Audience
import Campaigns
import Content
import Delivery
import Drafts
import InAppMessages
import Model
import News
import Sends
import Users

/// What the console needs from the product.
package struct ConsoleServices: Sendable {
    let accounts: any AccountPages
    let overview: OverviewService
    let sends: SendReports
    let composer: PushComposer
    let control: SendControl
    let review: SendReview
    let choices: AudienceChoiceService
    let drafts: DraftService
    let campaigns: CampaignService
    let inApp: InAppMessageService
    let news: NewsService
    let events: EventCatalog
    let limits: LimitService
    let auditLog: AuditLog
    let system: @Sendable () -> SystemState
    let explainer: DeliveryExplainer
    let blocks: ContentBlockService
    let catalogs: CatalogService
    let users: UserDirectory
    let segments: SegmentService
    let inspector: SegmentInspector
    let vocabulary: SegmentVocabulary
    let lists: UserListService

    package init(
        accounts: any AccountPages,
        overview: OverviewService,
        sends: SendReports,
        composer: PushComposer,
        control: SendControl,
        review: SendReview,
        choices: AudienceChoiceService,
        drafts: DraftService,
        campaigns: CampaignService,
        inApp: InAppMessageService,
        news: NewsService,
        events: EventCatalog,
        limits: LimitService,
        auditLog: AuditLog,
        system: @escaping @Sendable () -> SystemState,
        explainer: DeliveryExplainer,
        blocks: ContentBlockService,
        catalogs: CatalogService,
        users: UserDirectory,
        segments: SegmentService,
        inspector: SegmentInspector,
        vocabulary: SegmentVocabulary,
        lists: UserListService
    ) {
        self.accounts = accounts
        self.overview = overview
        self.sends = sends
        self.composer = composer
        self.control = control
        self.review = review
        self.choices = choices
        self.drafts = drafts
        self.campaigns = campaigns
        self.inApp = inApp
        self.news = news
        self.events = events
        self.limits = limits
        self.auditLog = auditLog
        self.system = system
        self.explainer = explainer
        self.blocks = blocks
        self.catalogs = catalogs
        self.users = users
        self.segments = segments
        self.inspector = inspector
        self.vocabulary = vocabulary
        self.lists = lists
    }
}

/// Who may use the console.
package protocol AccountPages: Sendable {
    /// A new session, or `nil` when e-mail and password do not match a member.
    ///
    /// - Throws: `SignInRefusal` when nobody has looked at the password.
    func logIn(
        email: String,
        password: String,
        from address: String?
    ) async throws -> ConsoleSession?
    /// The member behind a session; `nil` when the session is unknown or over.
    func member(ofSession token: String) async throws -> ConsoleMember?
    func logOut(session token: String) async throws
}
