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
    package let dependencies: ServerDependencies
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

    /// Opens a database in a file and creates the parts; nothing runs before `run`. ``open(settings:dependencies:servers:logger:)``
    /// takes one of PostgreSQL, too.
    ///
    /// - Throws: `SettingError` or `StoreError` with a readable message.
    package convenience init(
        settings: Settings,
        dependencies: ServerDependencies = .live,
        servers: PushEndpoints? = nil,
        logger: Logger
    ) throws {
        try self.init(
            settings: settings,
            dependencies: dependencies,
            servers: servers,
            logger: logger
        ) {
            try ServerDatabase(file: settings, now: dependencies.now(), logger)
        }
    }

    /// - Parameter database: Called when the settings have been looked at.
    init(
        settings: Settings,
        dependencies: ServerDependencies,
        servers: PushEndpoints?,
        logger: Logger,
        database: () throws -> ServerDatabase
    ) throws {
        self.settings = settings
        limits = LiveLimits(settings)
        self.dependencies = dependencies
        self.logger = logger
        registry = settings.metrics.map { _ in MetricRegistry() }
        metricsKey = try settings.metrics?.key()
        backups = settings.backups.map { backups in
            BackupSchedule(
                settings: backups,
                writer: BackupWriter(
                    settings: settings,
                    now: dependencies.now,
                    random: dependencies.random
                ),
                now: dependencies.now,
                logger: logger
            )
        }
        certificate = try Self.certificate(settings.tls, now: dependencies.now())
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
        spans = Spans(settings, queue: spanQueue, dependencies)
        storeWatch = StoreWatch(store: store, now: dependencies.now, logger: logger)
        let key = try SecretKey.load(settings, random: dependencies.random)
        let vault = CredentialVault(store: store, key: key, now: dependencies.now)
        let basicCredentials = BasicCredentialVault(store: store, key: key, now: dependencies.now)
        let feed = ChangeFeed()
        let wake = WakeSignal()
        self.store = store
        secretKey = key
        self.feed = feed
        self.wake = wake
        figures = ReportCache(feed: feed)
        accounts = AccountService(
            store: store,
            now: dependencies.now,
            random: dependencies.random,
            hasher: PasswordHasher(rounds: dependencies.passwordRounds)
        )
        secondFactors = SecondFactorService(
            store: store,
            accounts: accounts,
            vault: SecondFactorVault(key: key),
            now: dependencies.now
        )
        passkeys = PasskeyService(
            store: store,
            accounts: accounts,
            key: key,
            now: dependencies.now
        )
        members = MemberDirectory(store: store, accounts: accounts, now: dependencies.now)
        apps = AppService(store: store, now: dependencies.now, makeToken: accounts.token)
        let traces = SendTraces()
        let announce: @Sendable (SendID, WorkspaceID) -> Void = { send, workspace in
            traces.note(send.rawValue)
            feed.publish(.send(send, workspace))
            wake.signal()
        }
        audience = SegmentationService(store: store, now: dependencies.now, logger: logger)
        activityReports = ReportService(audience: audience, now: dependencies.now)
        questions = ReportQuestionReader(
            reports: activityReports,
            segments: SegmentService(store: store, now: dependencies.now),
            audience: audience,
            now: dependencies.now
        )
        let signer = ReportWebhookSigner(key: key)
        savedReports = SavedReportService(
            store: store,
            reports: activityReports,
            reader: questions,
            webhooks: signer,
            now: dependencies.now,
            makeID: { UUID() }
        )
        composer = PushComposer(
            store: store,
            undoSeconds: settings.undoSeconds,
            payload: PayloadSize.meter,
            now: dependencies.now,
            announce: announce
        )
        control = SendControl(store: store, now: dependencies.now, announce: announce)
        holds = SendingHoldService(store: store, control: control, now: dependencies.now)
        holdWatch = HoldWatch(holds)
        retention = RetentionService(
            store: store,
            settings: dependencies.retention,
            now: dependencies.now,
            uptime: dependencies.uptime,
            logger: logger
        )
        let planner = SendPlanner(
            store: store,
            audience: audience,
            now: dependencies.now,
            spans: spans,
            traces: traces
        )
        campaigns = CampaignService(
            store: store,
            planner: planner,
            now: dependencies.now,
            announceUsers: { feed.publish(.ingested($0)) },
            announce: announce
        )
        var schedulerSettings = CampaignScheduler.Settings()
        schedulerSettings.idlePause = dependencies.idlePause
        scheduler = CampaignScheduler(
            store: store,
            planner: planner,
            settings: schedulerSettings,
            now: dependencies.now,
            announce: announce,
            logger: logger
        )
        journeys = JourneyService(
            store: store,
            audience: audience,
            now: dependencies.now,
            announce: announce
        )
        var journeySettings = JourneyRunner.Settings()
        journeySettings.idlePause = dependencies.idlePause
        journeyRunner = JourneyRunner(
            store: store,
            audience: audience,
            settings: journeySettings,
            now: dependencies.now,
            announce: announce,
            logger: logger
        )
        ingestion = IngestionService(
            store: store,
            feed: feed,
            now: dependencies.now,
            metrics: IngestMetrics(metrics, uptime: dependencies.uptime),
            spans: spans,
            logger: logger
        )
        syncs = FileSyncService(
            folder: IntegrationFolder(path: settings.syncFolder),
            store: store,
            ingestion: ingestion,
            now: dependencies.now,
            logger: logger
        )
        providerCredentials = ProviderCredentials(vault: vault, now: dependencies.now)
        providers = try PushTransports(
            servers: try servers ?? settings.pushServers(),
            store: store,
            credentials: providerCredentials,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger,
            share: share,
            now: dependencies.now
        )
        credentials = CredentialService(
            store: store,
            vault: vault,
            inspector: providerCredentials,
            providers: providers,
            now: dependencies.now
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
                now: dependencies.now
            )
        }
        connectedContent = contentClient(contentSettings)
        openIDWeb = OpenIDWebClient(settings: settings, dependencies: dependencies, logger: logger)
        let openIDVault = OpenIDVault(key: key)
        openIDProviders = OpenIDProviderService(
            store: store,
            vault: openIDVault,
            client: openIDWeb.client,
            now: dependencies.now
        )
        openIDSignIns = OpenIDSignInService(
            store: store,
            accounts: accounts,
            vault: openIDVault,
            client: openIDWeb.client,
            now: dependencies.now,
            logger: logger
        )
        reportWebhooks = ReportWebhooks(
            store: store,
            reports: savedReports,
            signer: signer,
            fetcher: connectedContent,
            now: dependencies.now,
            logger: logger
        )
        let factVault = FactWebhookVault(key: key)
        factWebhooks = FactWebhookService(
            store: store,
            vault: factVault,
            now: dependencies.now,
            random: dependencies.random,
            makeID: { UUID() }
        )
        factSender = FactWebhookSender(
            store: store,
            facts: FactService(store: store),
            vault: factVault,
            fetcher: connectedContent,
            now: dependencies.now,
            logger: logger
        )
        deviceContent = contentClient(contentSettings.forDevices)
        var deliverySettings = DeliveryService.Settings()
        deliverySettings.owner = database.claim.owner(settings.node)
        if case .postgres = database.claim { deliverySettings.isAlone = false }
        deliverySettings.idlePause = dependencies.idlePause
        deliverySettings.pushDeadline = .seconds(settings.pushDeadline)
        renderer = MessageRenderer(clock: dependencies.uptime)
        inAppMessages = InAppMessageService(
            store: store,
            audience: audience,
            renderer: renderer,
            fetcher: deviceContent,
            figures: figures,
            now: dependencies.now
        )
        journeyCaller = JourneyCaller(
            store: store,
            fetcher: connectedContent,
            renderer: MessageRenderer(clock: dependencies.uptime),
            catalogs: CatalogReader(
                store: store,
                now: dependencies.now,
                random: dependencies.jitter
            ),
            key: WebhookKey(root: key),
            now: dependencies.now,
            logger: logger
        )
        rehearsals = RehearsalService(
            store: store,
            server: database.claim.id ?? UUID(),
            source: DatabaseCopy.source(of: settings.database, store),
            payload: PayloadSize.meter,
            now: dependencies.now,
            uptime: dependencies.uptime,
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
            renderer: MessageRenderer(settings: deliveryRendering, clock: dependencies.uptime),
            feed: feed,
            wake: wake,
            settings: deliverySettings,
            now: dependencies.now,
            jitter: dependencies.jitter,
            metrics: DeliveryMetrics(metrics, uptime: dependencies.uptime),
            logger: logger
        )
    }
}
