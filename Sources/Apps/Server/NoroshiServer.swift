import API
import Accounts
import Analytics
import Audience
import Campaigns
import ConnectedContent
import Console
import Content
import ContentFiles
import ContentFolders
import CoreMetrics
import Credentials
import Crypto
import Delivery
import Drafts
import Facts
import Foundation
import Front
import Hummingbird
import HummingbirdCore
import InAppMessages
import Ingestion
import Journeys
import Logging
import Model
import Monitoring
import NIOCore
import NIOPosix
import News
import Phones
import Ports
import Reasons
import Rehearsals
import Retention
import Sends
import ServiceLifecycle
import StoreSQLite
import UnixSignals
import Users
import WebPages

/// The server: the composition root, which creates and connects the concrete parts.
package struct NoroshiServer: Sendable {
    package let store: any Store
    package let accounts: AccountService
    package let secondFactors: SecondFactorService
    package let passkeys: PasskeyService
    package let openIDProviders: OpenIDProviderService
    private let openIDSignIns: OpenIDSignInService
    package let members: MemberDirectory
    package let apps: AppService
    package let feed: ChangeFeed
    package let composer: PushComposer
    private let control: SendControl
    private let holds: SendingHoldService
    private let retention: RetentionService
    package let campaigns: CampaignService
    private let inAppMessages: InAppMessageService
    package let world: World
    package let logger: Logger

    private let settings: Settings
    private let limits: LiveLimits
    private let secretKey: SymmetricKey
    package let audience: SegmentationService
    private let activityReports: ReportService
    private let questions: ReportQuestionReader
    private let savedReports: SavedReportService
    private let reportWebhooks: ReportWebhooks
    private let factWebhooks: FactWebhookService
    private let factSender: FactWebhookSender
    private let ingestion: IngestionService
    private let syncs: FileSyncService
    private let delivery: DeliveryService
    private let scheduler: CampaignScheduler
    package let journeys: JourneyService
    private let journeyRunner: JourneyRunner
    private let journeyCaller: JourneyCaller
    package let rehearsals: RehearsalService
    private let spans: Spans
    private let spanQueue = SpanQueue()
    private let connectedContent: ConnectedContentClient
    /// For the providers with which members sign in.
    package let openIDWeb: OpenIDWebClient
    /// Of in-app messages, so that devices that ask for many do not delay pushes.
    private let deviceContent: ConnectedContentClient
    private let renderer: MessageRenderer
    package let credentials: CredentialService
    package let providerCredentials: ProviderCredentials
    private let providers: PushTransports
    private let figures: ReportCache
    private let claim: DatabaseClaim
    private let storeWatch: StoreWatch
    /// What the parts count; `nil` if nobody asks for it.
    private let registry: MetricRegistry?
    private let metricsKey: String?
    private let backups: BackupSchedule?
    private let certificate: ServerCertificate?

    /// Opens the database and creates the parts; nothing runs before `run`.
    ///
    /// - Throws: `Settings.Problem` or `StoreError` with a readable message.
    package init(
        settings: Settings,
        world: World = .live,
        servers: PushEndpoints? = nil,
        logger: Logger
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
        // No other server can use the database until this one ends.
        claim = try DatabaseClaim.take(
            path: settings.databasePath,
            for: .current(.server, since: world.now())
        )
        let store = try SQLiteStore(
            path: settings.databasePath,
            synchronous: settings.synchronous,
            isClaimed: true,
            copiesBeforeUpdate: settings.copiesBeforeUpdate,
            onUnreadable: { row in
                logger.error(
                    "a stored row cannot be read and is set aside; see ./noroshi doctor",
                    metadata: [
                        "row.table": "\(row.table)", "row.number": "\(row.id)",
                        "row.reason": "\(row.reason)",
                    ]
                )
            }
        )
        spans =
            settings.otlpEndpoint == nil
            ? Spans()
            : Spans(
                QueueTracer(
                    queue: spanQueue,
                    now: world.now,
                    uptime: world.uptime,
                    random: { world.random(8).reduce(0) { $0 << 8 | UInt64($1) } }
                )
            )
        storeWatch = StoreWatch(store: store, now: world.now, logger: logger)
        let key = try SecretKey.load(path: settings.secretKeyPath, random: world.random)
        let vault = CredentialVault(store: store, key: key, now: world.now)
        let basicCredentials = BasicCredentialVault(store: store, key: key, now: world.now)
        let feed = ChangeFeed()
        let wake = WakeSignal()
        self.store = store
        secretKey = key
        self.feed = feed
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
        passkeys = PasskeyService(store: store, accounts: accounts, now: world.now)
        members = MemberDirectory(store: store, accounts: accounts, now: world.now)
        apps = AppService(store: store, now: world.now, makeToken: accounts.token)
        let announce: @Sendable (SendID, WorkspaceID) -> Void = { send, workspace in
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
            spans: spans
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
        journeySettings.owner = settings.node
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
        deliverySettings.owner = settings.node
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
            source: DatabaseCopy.source(of: settings.databasePath),
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
            transports: providers.transports(in: spans),
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

    /// Runs until the process is told to stop.
    ///
    /// - Parameters:
    ///   - phones: Virtual phones, whose pages are also served.
    ///   - until: The server stops when this returns, as after a signal.
    ///   - reloading: What is read again after `SIGHUP`; `nil` leaves the signal to others.
    ///   - onRunning: Called once with the port, when requests are served.
    /// - Throws: `Settings.Problem` if the port is in use.
    package func run(
        phones: (any PhoneHost)? = nil,
        handlesSignals: Bool = true,
        until: @escaping @Sendable () async -> Void = NoroshiServer.forever,
        reloading: Reloading? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        // A write that exceeds a limit of the system must fail instead of ending the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        let front = FrontDoor(settings: { [limits] in limits.front }, certificate: certificate)
        let manager = settings.serviceManager.map {
            ServiceManagerLink(
                settings: $0,
                loops: MultiThreadedEventLoopGroup.singleton,
                logger: logger
            )
        }
        let http = Application(
            router: try router(phones: phones),
            server: front.server,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "Noroshi"
            ),
            onServerRunning: { [claim, settings] channel in
                let port = channel.localAddress?.port ?? 0
                claim.announce(address: "\(settings.host):\(port)")
                manager?.ready(address: "\(settings.host):\(port)")
                await onRunning(port)
            },
            logger: logger
        )
        let stopping = StopDeadline(
            inner: http,
            places: front.places,
            seconds: settings.front.stopSeconds,
            mayExit: handlesSignals,
            logger: logger
        )
        // Stopped in reverse order: the service manager hears of it, since what comes last may run out
        // of time; no new requests, no new pushes, then the last commits.
        let watch = CredentialExpiryMonitor(store: store, credentials: credentials, logger: logger)
        let certificates = certificate.map {
            CertificateWatch(certificate: $0, now: world.now, logger: logger)
        }
        let reload = reloading.map {
            ReloadService(
                reloading: $0,
                settings: settings,
                limits: limits,
                certificates: certificates,
                logger: logger
            )
        }
        let exporter = settings.otlpEndpoint.map {
            OTLPExporter(
                endpoint: $0,
                queue: spanQueue,
                resource: [
                    ("service.name", "noroshi"), ("service.version", BuildInfo.version),
                    ("service.instance.id", settings.node),
                ],
                logger: logger
            )
        }
        let wanted: [(any Service)?] = [
            exporter, metricsListener(places: front.places), backups, certificates, reload,
            redirectListener(),
        ]
        let parts: [any Service] =
            requestServices + wanted.compactMap(\.self) + [
                delivery, scheduler, journeyRunner, journeyCaller, syncs, reportWebhooks,
                factSender, watch, retention, stopping,
                ShutdownTrigger(wait: until),
            ] + (manager.map { [$0] } ?? [])
        var configuration = ServiceGroupConfiguration(
            services: parts.map {
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: $0,
                    successTerminationBehavior: .gracefullyShutdownGroup
                )
            },
            gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration =
            .milliseconds(settings.front.stopSeconds * 800)
        let group = ServiceGroup(configuration: configuration)
        // The database is free for another server once this method has returned.
        defer { claim.release() }
        do {
            try await group.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Settings.Problem(
                "listen",
                .portTaken,
                ["host": .text(settings.host), "port": "\(settings.port)"]
            )
        }
        await providers.shutDown(grace: .seconds(1))
        await connectedContent.shutDown()
        await openIDWeb.shutDown()
        await deviceContent.shutDown()
    }

    /// - Throws: `Settings.Problem` that names the file.
    private static func certificate(_ tls: TLSSettings?, now: Date) throws -> ServerCertificate? {
        guard let tls else { return nil }
        do {
            return try ServerCertificate(
                certificatePath: tls.certificatePath,
                keyPath: tls.keyPath,
                now: now
            )
        } catch let problem as ServerCertificate.Problem {
            throw Settings.Problem(
                problem.file == .key ? "tls-key" : "tls-certificate",
                .certificate,
                ["path": .text(problem.path), "reason": "\(problem.fault)"]
            )
        }
    }

    private func redirectListener() -> RedirectListener? {
        guard let tls = settings.tls, let host = tls.redirectHost else { return nil }
        return RedirectListener(
            settings: tls,
            host: host,
            front: { [limits] in limits.front },
            redirect: SecureRedirect(
                publicAddress: settings.publicAddress,
                port: settings.port
            ),
            logger: logger
        )
    }

    /// Serves the metrics, where the settings say so.
    package func metricsListener(places: ConnectionPlaces) -> MetricsListener? {
        guard let listen = settings.metrics, let registry else { return nil }
        let figures = ServerFigures(
            ServerFigures.Parts(
                store: store,
                databasePath: settings.databasePath,
                watch: storeWatch,
                audience: audience,
                ingestion: ingestion,
                delivery: delivery,
                accounts: accounts,
                credentials: credentials,
                holds: holds,
                backups: backups,
                retention: retention,
                certificate: certificate,
                places: places,
                world: world,
                logger: logger
            )
        )
        return MetricsListener(
            settings: listen,
            key: metricsKey,
            text: { registry.text(with: await figures.samples()) },
            logger: logger
        )
    }

    /// The services that must run while requests are served.
    package var requestServices: [any Service] {
        [storeWatch, ingestion, audience, figures, rehearsals]
    }

    /// Ends the service group when `until` returns.
    private struct ShutdownTrigger: Service {
        let wait: @Sendable () async -> Void

        func run() async {
            await cancelWhenGracefulShutdown { await wait() }
        }
    }

    /// Waits until it is cancelled.
    package static let forever: @Sendable () async -> Void = {
        let (silence, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
    }

    /// All routes of the server.
    ///
    /// - Parameter phones: Virtual phones, whose pages are also served.
    package func router(phones: (any PhoneHost)?) throws -> Router<APIRequestContext> {
        let strangers = StrangerBodies(budget: { [limits] in limits.strangersBudget })
        let api = apiRoutes(strangers: strangers)
        let router = try pages(phones: phones, beside: api, strangers: strangers)
        HealthRoutes(
            audience: audience,
            accounts: accounts,
            watch: storeWatch,
            hold: { try await holds.current() }
        ).add(to: router)
        try api.add(to: router)
        return router
    }

    /// The pages of the console and the virtual phones, without the API.
    ///
    /// - Parameter books: The services behind the pages.
    package func pages(
        phones: (any PhoneHost)?,
        books: ConsoleBooks
    ) throws -> Router<APIRequestContext> {
        let strangers = StrangerBodies(budget: { [limits] in limits.strangersBudget })
        return try pages(
            phones: phones,
            beside: apiRoutes(strangers: strangers),
            strangers: strangers,
            books: books
        )
    }

    private func apiRoutes(strangers: StrangerBodies) -> APIRoutes {
        APIRoutes(
            services: apiServices,
            webPushKey: { [credentials] app in
                try await credentials.applicationServerKey(of: app)
            },
            publicAddress: settings.publicAddress,
            usesHTTPS: settings.usesHTTPS,
            limits: { [limits] in limits.rates },
            clientAddress: ClientAddress(trustedProxies: settings.trustedProxies),
            strangers: strangers,
            now: world.now
        )
    }

    private var apiServices: APIServices {
        let now = world.now
        let makeID: @Sendable () -> UUID = { UUID() }
        return APIServices(
            accounts: accounts,
            members: members,
            apps: apps,
            workspaces: WorkspaceService(store: store, now: now),
            retention: retention,
            facts: FactService(store: store),
            factWebhooks: factWebhooks,
            audit: AuditLog(store: store, origin: .api, now: now),
            sdkKeys: SDKKeyService(store: store, now: now, makeID: makeID),
            ingestion: ingestion,
            syncs: syncs,
            users: UserService(store: store, now: now),
            directory: UserDirectory(store: store, figures: figures),
            archive: UserArchive(store: store, now: now),
            links: ExportLinkService(store: store, now: now, makeToken: accounts.token),
            callback: ExportCallback(fetcher: connectedContent),
            subscriptions: SubscriptionGroupService(store: store, now: now, makeID: makeID),
            preferenceCenters: PreferenceCenterService(
                store: store,
                links: PreferenceLinks(key: secretKey),
                now: now,
                makeID: makeID
            ),
            audience: audience,
            segments: SegmentService(store: store, now: now),
            series: SeriesService(store: store, audience: audience),
            activityReports: activityReports,
            questions: questions,
            savedReports: savedReports,
            limits: LimitService(store: store, now: world.now),
            events: EventCatalog(store: store, figures: figures, now: now),
            composer: composer,
            control: control,
            campaigns: campaigns,
            reports: CampaignReports(store: store),
            funnels: MessageFunnels(store: store, now: now),
            journeys: journeys,
            journeyForms: JourneyForms(store: store, now: now),
            inAppMessages: inAppMessages,
            news: NewsService(store: store, now: now),
            blocks: ContentBlockService(store: store, now: now, makeID: makeID),
            catalogs: CatalogService(store: store, now: now),
            folders: FolderOwnership(store: store, now: now),
            rehearsals: rehearsals,
            contentFiles: ContentFileService(store: store, now: now)
        )
    }

    private func pages(
        phones: (any PhoneHost)?,
        beside api: APIRoutes,
        strangers: StrangerBodies,
        books: ConsoleBooks? = nil
    ) throws -> Router<APIRequestContext> {
        let router = Router(context: APIRequestContext.self)
        if let registry {
            router.add(middleware: RequestMetrics(registry, uptime: world.uptime))
        }
        if spans.isOn {
            router.add(
                middleware: RequestSpans(spans, trustedProxies: settings.trustedProxies)
            )
        }
        if settings.log.hasRequests { router.add(middleware: AccessLog(uptime: world.uptime)) }
        router.add(middleware: ForwardedHeaders(trustedProxies: settings.trustedProxies))
        if let tls = settings.tls, tls.hstsDays > 0 {
            router.add(middleware: StrictTransport(days: tls.hstsDays))
        }
        router.add(middleware: NullFreeAddresses())
        router.add(
            middleware: AnswerRules<APIRequestContext> { APIError.unexpected($0, at: $1, $2) }
        )
        AssetRoutes(files: .embedded).add(to: router)
        WebSDKRoutes(files: .embedded).add(to: router)
        let choices = AudienceChoiceService(store: store, now: world.now)
        let review = SendReview(
            store: store,
            audience: audience,
            renderer: renderer,
            fetcher: connectedContent,
            payload: PayloadSize.meter,
            now: world.now
        )
        let segments = SegmentService(store: store, now: world.now)
        let limits = LimitService(store: store, now: world.now)
        let site = ConsoleRenderer(
            services: ConsoleServices(
                accounts: accounts,
                secondFactors: secondFactors,
                passkeys: passkeys,
                openIDProviders: openIDProviders,
                openIDSignIns: openIDSignIns,
                members: members,
                workspaces: WorkspaceService(store: store, now: world.now),
                apps: apps,
                credentials: credentials,
                sdkKeys: SDKKeyService(store: store, now: world.now, makeID: { UUID() }),
                apiPermissions: api.permissions,
                overview: OverviewService(store: store, figures: figures, now: world.now),
                sends: SendReports(
                    store: store,
                    choices: choices,
                    figures: figures,
                    feed: feed,
                    now: world.now
                ),
                funnels: MessageFunnels(store: store, figures: figures, now: world.now),
                composer: composer,
                control: control,
                review: review,
                choices: choices,
                drafts: DraftService(store: store, now: world.now),
                campaigns: campaigns,
                inApp: inAppMessages,
                news: NewsService(store: store, now: world.now),
                events: EventCatalog(store: store, figures: figures, now: world.now),
                activityReports: activityReports,
                questions: questions,
                savedReports: savedReports,
                limits: limits,
                calendar: MessageCalendar(
                    campaigns: campaigns,
                    control: control,
                    limits: limits,
                    now: world.now
                ),
                auditLog: AuditLog(store: store, origin: .console, now: world.now),
                system: SystemReader(
                    store: store,
                    audience: audience,
                    databasePath: settings.databasePath
                ).state,
                retention: retention,
                factWebhooks: factWebhooks,
                explainer: DeliveryExplainer(store: store, audience: audience, now: world.now),
                blocks: ContentBlockService(store: store, now: world.now, makeID: { UUID() }),
                catalogs: CatalogService(store: store, now: world.now),
                users: UserDirectory(store: store, figures: figures),
                identities: UserService(store: store, now: world.now),
                profiles: ProfileEditor(
                    store: store,
                    ingestion: ingestion,
                    now: world.now
                ),
                segments: segments,
                inspector: SegmentInspector(segments: segments, audience: audience),
                vocabulary: SegmentVocabulary(store: store),
                lists: UserListService(store: store, now: world.now),
                journeys: journeys,
                rehearsals: rehearsals,
                folders: FolderOwnership(store: store, now: world.now)
            ),
            settings: ConsoleSettings(
                isSecure: settings.usesHTTPS,
                phonesAddress: phones == nil ? nil : PhonePath.phones.path,
                phoneGuestsAddress: phones == nil ? nil : PhonePath.guests.path,
                clientAddress: ClientAddress(trustedProxies: settings.trustedProxies),
                strangers: strangers,
                linkOrigin: LinkOrigin(
                    publicAddress: settings.publicAddress,
                    usesHTTPS: settings.usesHTTPS
                ),
                now: world.now,
                makeToken: { accounts.token() }
            ),
            books: try books ?? ConsoleBooks()
        )
        ConsoleRoutes(site: site).add(to: router)
        if let phones {
            try PhoneRoutes(host: phones, consoleAddress: ConsolePath.overview.path)
                .add(to: router)
        }
        return router
    }
}
