import Accounts
import Analytics
import Audience
import Campaigns
import ConnectedContent
import CoreMetrics
import Credentials
import Crypto
import Delivery
import Facts
import Foundation
import Front
import InAppMessages
import Ingestion
import Journeys
import Logging
import Model
import Monitoring
import NIOPosix
import Ports
import Rehearsals
import Retention
import Sends
import Servers
import StoreSQL
import Users

/// The server: the composition root, which creates and connects the concrete parts.
package final class NoroshiServer: Sendable {
    package let store: any Store
    package let accounts: AccountService
    package let secondFactors: SecondFactorService
    package let passkeys: PasskeyService
    package let openIDProviders: OpenIDProviderService
    let openIDSignIns: OpenIDSignInService
    package let members: MemberDirectory
    package let apps: AppService
    package let feed: ChangeFeed
    let wake: WakeSignal
    package let composer: PushComposer
    let control: SendControl
    let holds: SendingHoldService
    let holdWatch: HoldWatch
    let retention: RetentionService
    package let campaigns: CampaignService
    let inAppMessages: InAppMessageService
    package let world: World
    package let logger: Logger

    let settings: Settings
    let limits: LiveLimits
    /// How many servers work on the database.
    let share = ServerShare()
    let secretKey: SymmetricKey
    package let audience: SegmentationService
    let activityReports: ReportService
    let questions: ReportQuestionReader
    let savedReports: SavedReportService
    let reportWebhooks: ReportWebhooks
    let factWebhooks: FactWebhookService
    let factSender: FactWebhookSender
    let ingestion: IngestionService
    let syncs: FileSyncService
    let delivery: DeliveryService
    let scheduler: CampaignScheduler
    package let journeys: JourneyService
    let journeyRunner: JourneyRunner
    let journeyCaller: JourneyCaller
    package let rehearsals: RehearsalService
    let spans: Spans
    let spanQueue = SpanQueue()
    let connectedContent: ConnectedContentClient
    /// For the providers with which members sign in.
    package let openIDWeb: OpenIDWebClient
    /// Of in-app messages, so that devices that ask for many do not delay pushes.
    let deviceContent: ConnectedContentClient
    let renderer: MessageRenderer
    package let credentials: CredentialService
    package let providerCredentials: ProviderCredentials
    let providers: PushTransports
    let figures: ReportCache
    let claim: ServerClaim
    let part: ServerPart
    let storeWatch: StoreWatch
    /// What the parts count; `nil` if nobody asks for it.
    let registry: MetricRegistry?
    let metricsKey: String?
    let backups: BackupSchedule?
    let certificate: ServerCertificate?

    /// Opens a database in a file and creates the parts; nothing runs before `run`. ``open(settings:world:servers:logger:)``
    /// takes one of PostgreSQL, too.
    ///
    /// - Throws: `Settings.Problem` or `StoreError` with a readable message.
    package convenience init(
        settings: Settings,
        world: World = .live,
        servers: PushEndpoints? = nil,
        logger: Logger
    ) throws {
        try self.init(settings: settings, world: world, servers: servers, logger: logger) {
            try ServerDatabase(file: settings, now: world.now(), logger)
        }
    }

    /// - Parameter database: Called when the settings have been looked at.
    init(
        settings: Settings,
        world: World,
        servers: PushEndpoints?,
        logger: Logger,
        database: () throws -> ServerDatabase
    ) throws {
        self.settings = settings
        limits = LiveLimits(settings)
        self.world = world
        self.logger = logger
        registry = settings.metrics.map { _ in MetricRegistry() }
        metricsKey = try settings.metrics?.key()
        backups = settings.backups.map { backups in
            BackupSchedule(
                settings: backups,
                writer: BackupWriter(settings: settings, now: world.now, random: world.random),
                now: world.now,
                logger: logger
            )
        }
        certificate = try Self.certificate(settings.tls, now: world.now())
        let metrics: any MetricsFactory = registry ?? NOOPMetricsHandler.instance
        // No other server can use a file until this one ends.
        let database = try database()
        claim = database.claim
        if case .file = database.claim {
            part = ServerPart(leads: true)
        } else {
            part = ServerPart(leads: false)
        }
        let store = database.store
        spans = Spans(settings, queue: spanQueue, world)
        storeWatch = StoreWatch(store: store, now: world.now, logger: logger)
        let key = try SecretKey.load(settings, random: world.random)
        let vault = CredentialVault(store: store, key: key, now: world.now)
        let basicCredentials = BasicCredentialVault(store: store, key: key, now: world.now)
        let feed = ChangeFeed()
        let wake = WakeSignal()
        self.store = store
        secretKey = key
        self.feed = feed
        self.wake = wake
        figures = ReportCache(feed: feed)
        accounts = AccountService(
            store: store,
            now: world.now,
            random: world.random,
            hasher: PasswordHasher(rounds: world.passwordRounds)
        )
        secondFactors = SecondFactorService(
            store: store,
            accounts: accounts,
            vault: SecondFactorVault(key: key),
            now: world.now
        )
        passkeys = PasskeyService(
            store: store,
            accounts: accounts,
            key: key,
            now: world.now
        )
        members = MemberDirectory(store: store, accounts: accounts, now: world.now)
        apps = AppService(store: store, now: world.now, makeToken: accounts.token)
        let traces = SendTraces()
        let announce: @Sendable (SendID, WorkspaceID) -> Void = { send, workspace in
            traces.note(send.rawValue)
            feed.publish(.send(send, workspace))
            wake.signal()
        }
        audience = SegmentationService(store: store, now: world.now, logger: logger)
        activityReports = ReportService(audience: audience, now: world.now)
        questions = ReportQuestionReader(
            reports: activityReports,
            segments: SegmentService(store: store, now: world.now),
            audience: audience,
            now: world.now
        )
        let signer = ReportWebhookSigner(key: key)
        savedReports = SavedReportService(
            store: store,
            reports: activityReports,
            reader: questions,
            webhooks: signer,
            now: world.now,
            makeID: { UUID() }
        )
        composer = PushComposer(
            store: store,
            undoSeconds: settings.undoSeconds,
            payload: PayloadSize.meter,
            now: world.now,
            announce: announce
        )
        control = SendControl(store: store, now: world.now, announce: announce)
        holds = SendingHoldService(store: store, control: control, now: world.now)
        holdWatch = HoldWatch(holds)
        retention = RetentionService(
            store: store,
            settings: world.retention,
            now: world.now,
            uptime: world.uptime,
            logger: logger
        )
        let planner = SendPlanner(
            store: store,
            audience: audience,
            now: world.now,
            spans: spans,
            traces: traces
        )
        campaigns = CampaignService(
            store: store,
            planner: planner,
            now: world.now,
            announceUsers: { feed.publish(.ingested($0)) },
            announce: announce
        )
        var schedulerSettings = CampaignScheduler.Settings()
        schedulerSettings.idlePause = world.idlePause
        scheduler = CampaignScheduler(
            store: store,
            planner: planner,
            settings: schedulerSettings,
            now: world.now,
            announce: announce,
            logger: logger
        )
        journeys = JourneyService(
            store: store,
            audience: audience,
            now: world.now,
            announce: announce
        )
        var journeySettings = JourneyRunner.Settings()
        journeySettings.idlePause = world.idlePause
        journeyRunner = JourneyRunner(
            store: store,
            audience: audience,
            settings: journeySettings,
            now: world.now,
            announce: announce,
            logger: logger
        )
        ingestion = IngestionService(
            store: store,
            feed: feed,
            now: world.now,
            metrics: IngestMetrics(metrics, uptime: world.uptime),
            spans: spans,
            logger: logger
        )
        syncs = FileSyncService(
            folder: IntegrationFolder(path: settings.syncFolder),
            store: store,
            ingestion: ingestion,
            now: world.now,
            logger: logger
        )
        providerCredentials = ProviderCredentials(vault: vault, now: world.now)
        providers = try PushTransports(
            servers: try servers ?? settings.pushServers(),
            store: store,
            credentials: providerCredentials,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger,
            share: share,
            now: world.now
        )
        credentials = CredentialService(
            store: store,
            vault: vault,
            inspector: providerCredentials,
            providers: providers,
            now: world.now
        )
        var contentSettings = ConnectedContentSettings()
        contentSettings.allowed = settings.connectedContentAllowed
        contentSettings.authorities = settings.connectedContentAuthorities
        let contentClient = { (settings: ConnectedContentSettings) in
            ConnectedContentClient(
                settings: settings,
                resolver: SystemNameResolver(threads: NIOThreadPool.singleton),
                eventLoops: MultiThreadedEventLoopGroup.singleton,
                credentials: { name, workspace in
                    try await basicCredentials.credentials(named: name, in: workspace)
                        .map { ($0.user, $0.password) }
                },
                logger: logger,
                now: world.now
            )
        }
        connectedContent = contentClient(contentSettings)
        openIDWeb = OpenIDWebClient(settings: settings, world: world, logger: logger)
        let openIDVault = OpenIDVault(key: key)
        openIDProviders = OpenIDProviderService(
            store: store,
            vault: openIDVault,
            client: openIDWeb.client,
            now: world.now
        )
        openIDSignIns = OpenIDSignInService(
            store: store,
            accounts: accounts,
            vault: openIDVault,
            client: openIDWeb.client,
            now: world.now,
            logger: logger
        )
        reportWebhooks = ReportWebhooks(
            store: store,
            reports: savedReports,
            signer: signer,
            fetcher: connectedContent,
            now: world.now,
            logger: logger
        )
        let factVault = FactWebhookVault(key: key)
        factWebhooks = FactWebhookService(
            store: store,
            vault: factVault,
            now: world.now,
            random: world.random,
            makeID: { UUID() }
        )
        factSender = FactWebhookSender(
            store: store,
            facts: FactService(store: store),
            vault: factVault,
            fetcher: connectedContent,
            now: world.now,
            logger: logger
        )
        deviceContent = contentClient(contentSettings.forDevices)
        var deliverySettings = DeliveryService.Settings()
        deliverySettings.owner = database.claim.owner(settings.node)
        if case .postgres = database.claim { deliverySettings.isAlone = false }
        deliverySettings.idlePause = world.idlePause
        deliverySettings.pushDeadline = .seconds(settings.pushDeadline)
        renderer = MessageRenderer(clock: world.uptime)
        inAppMessages = InAppMessageService(
            store: store,
            audience: audience,
            renderer: renderer,
            fetcher: deviceContent,
            figures: figures,
            now: world.now
        )
        journeyCaller = JourneyCaller(
            store: store,
            fetcher: connectedContent,
            renderer: MessageRenderer(clock: world.uptime),
            catalogs: CatalogReader(store: store, now: world.now, random: world.jitter),
            key: WebhookKey(root: key),
            now: world.now,
            logger: logger
        )
        rehearsals = RehearsalService(
            store: store,
            server: database.claim.id ?? UUID(),
            source: DatabaseCopy.source(of: settings.database, store),
            payload: PayloadSize.meter,
            now: world.now,
            uptime: world.uptime,
            logger: logger
        )
        var deliveryRendering = MessageRenderer.Settings()
        deliveryRendering.waiting = deliverySettings.inFlight
        delivery = DeliveryService(
            store: store,
            planner: planner,
            transports: providers.transports(in: spans, traces),
            fetcher: connectedContent,
            // Pushes and previews have separate renderers, so that neither waits for the other.
            renderer: MessageRenderer(settings: deliveryRendering, clock: world.uptime),
            feed: feed,
            wake: wake,
            settings: deliverySettings,
            now: world.now,
            jitter: world.jitter,
            metrics: DeliveryMetrics(metrics, uptime: world.uptime),
            logger: logger
        )
    }
}
