import Audience
import Foundation
import Front
import Hummingbird
import Model
import WebPages

/// All JSON endpoints: the REST API and those for the client libraries.
package struct APIRoutes: Sendable {
    private let authorizer: APIAuthorizer
    private let limiter: RateLimiter
    private let bodies: APIRequestBody
    private let sdk: SDKRoutes
    private let news: NewsRoutes
    private let preferencePages: PreferencePageRoutes
    private let exports: SegmentExportRoutes
    private let limits: @Sendable () -> RateLimits
    private let endpoints: [RESTEndpoint]

    /// - Parameters:
    ///   - webPushKey: The key with which browsers subscribe to an app's pushes.
    ///   - limits: Asked for each request, as they may change.
    ///   - servers: Number of servers that share the limits.
    ///   - publicAddress: The prefix of links; `nil` uses the address of each request.
    package init(
        services: APIServices,
        webPushKey: @escaping @Sendable (App) async throws -> String? = { _ in nil },
        publicAddress: PublicAddress? = nil,
        usesHTTPS: Bool = false,
        limits: @escaping @Sendable () -> RateLimits = { RateLimits() },
        servers: @escaping @Sendable () -> Int = { 1 },
        clientAddress: ClientAddress = ClientAddress(),
        strangers: StrangerBodies = StrangerBodies(),
        now: @escaping @Sendable () -> Date
    ) {
        limiter = RateLimiter(limits, servers: servers, now: now)
        authorizer = APIAuthorizer(
            accounts: services.accounts,
            apps: services.apps,
            limiter: limiter,
            address: clientAddress,
            audit: services.audit
        )
        self.limits = limits
        bodies = APIRequestBody(
            strangers: strangers,
            currentLimit: { limits().bodyBytes }
        )
        let origin = LinkOrigin(publicAddress: publicAddress, usesHTTPS: usesHTTPS)
        exports = SegmentExportRoutes(
            segments: services.segments,
            archive: services.archive,
            audience: services.audience,
            links: services.links,
            callback: services.callback,
            origin: origin
        )
        sdk = SDKRoutes(
            authorizer: authorizer,
            ingestion: services.ingestion,
            inAppMessages: services.inAppMessages,
            users: services.users,
            webPushKey: webPushKey,
            bodies: bodies,
            now: now
        )
        news = NewsRoutes(
            authorizer: authorizer,
            news: services.news,
            authenticator: SDKAuthenticator(now: now)
        )
        preferencePages = PreferencePageRoutes(
            centers: services.preferenceCenters,
            ingestion: services.ingestion,
            strangers: strangers,
            now: now
        )
        let groups: [[RESTEndpoint]] = [
            TrackRoutes(ingestion: services.ingestion, now: now).endpoints,
            IdentityRoutes(users: services.users).endpoints,
            UserDeletionRoutes(users: services.users).endpoints,
            ExportRoutes(archive: services.archive, users: services.users).endpoints,
            UserFigureRoutes(users: services.users, directory: services.directory).endpoints,
            exports.endpoints,
            MessageRoutes(
                composer: services.composer,
                control: services.control,
                campaigns: services.campaigns,
                segments: services.segments,
                users: services.users,
                audience: services.audience,
                now: now
            ).endpoints,
            SegmentRoutes(
                segments: services.segments,
                inspector: SegmentInspector(
                    segments: services.segments,
                    audience: services.audience
                )
            ).endpoints,
            ListRoutes(catalog: services.events).endpoints,
            ContentBlockRoutes(
                blocks: services.blocks
            ).endpoints,
            InAppMessageRoutes(segments: services.segments, service: services.inAppMessages)
                .endpoints,
            CatalogRoutes(catalogs: services.catalogs).endpoints,
            CatalogItemRoutes(catalogs: services.catalogs).endpoints,
            RehearsalRoutes(
                rehearsals: services.rehearsals,
                campaigns: services.campaigns,
                journeys: services.journeys,
                now: now
            ).endpoints,
            FolderRoutes(folders: services.folders, files: services.contentFiles).endpoints,
            SeriesRoutes(
                series: services.series,
                segments: services.segments,
                now: now
            ).endpoints,
            ReportRoutes(reports: services.activityReports, reader: services.questions).endpoints,
            SavedReportRoutes(saved: services.savedReports).endpoints,
            SubscriptionRoutes(
                users: services.users,
                subscriptions: services.subscriptions,
                ingestion: services.ingestion,
                now: now
            ).endpoints,
            EmailSubscriptionRoutes(
                users: services.users,
                subscriptions: services.subscriptions,
                ingestion: services.ingestion,
                now: now
            ).endpoints,
            CampaignRoutes(
                campaigns: services.campaigns,
                reports: services.reports,
                now: now
            ).endpoints,
            ExperimentRoutes(
                campaigns: services.campaigns,
                reports: services.reports,
                now: now
            ).endpoints,
            MessageFunnelRoutes(
                funnels: services.funnels,
                campaigns: services.campaigns,
                control: services.control,
                inAppMessages: services.inAppMessages
            ).endpoints,
            DeliveryExplanationRoutes(
                explainer: services.explainer,
                campaigns: services.campaigns,
                control: services.control,
                users: services.users
            ).endpoints,
            CampaignTriggerRoutes(
                campaigns: services.campaigns,
                control: services.control,
                segments: services.segments,
                users: services.users,
                audience: services.audience,
                now: now
            ).endpoints,
            CampaignCopyRoutes(campaigns: services.campaigns).endpoints,
            FeedRoutes(news: services.news, series: services.series, now: now)
                .endpoints,
            CanvasRoutes(journeys: services.journeys).endpoints,
            CanvasTriggerRoutes(
                journeys: services.journeys,
                segments: services.segments,
                users: services.users,
                audience: services.audience,
                now: now
            ).endpoints,
            CanvasSeriesRoutes(
                journeys: services.journeys,
                reports: services.reports,
                now: now
            ).endpoints,
            JourneyRoutes(journeys: services.journeys, forms: services.journeyForms).endpoints,
            JourneyRunRoutes(
                journeys: services.journeys,
                users: services.users,
                now: now
            ).endpoints,
            JourneyFigureRoutes(journeys: services.journeys, users: services.users).endpoints,
            SubscriptionGroupRoutes(groups: services.subscriptions).endpoints,
            PreferenceCenterRoutes(centers: services.preferenceCenters, origin: origin).endpoints,
            SyncRoutes(syncs: services.syncs).endpoints,
            SCIMRoutes(
                directory: services.members,
                origin: origin
            ).endpoints,
            MemberAccountRoutes(
                directory: services.members,
                accounts: services.accounts,
                secondFactors: services.secondFactors,
                passkeys: services.passkeys,
                origin: origin
            ).endpoints,
            SDKKeyRoutes(keys: services.sdkKeys).endpoints,
            WorkspaceRoutes(workspaces: services.workspaces).endpoints,
            RetentionRoutes(
                workspaces: services.workspaces,
                retention: services.retention
            ).endpoints,
            FactRoutes(facts: services.facts).endpoints,
            FactWebhookRoutes(webhooks: services.factWebhooks).endpoints,
            ControlGroupRoutes(
                limits: services.limits,
                audience: services.audience
            ).endpoints,
        ]
        endpoints = groups.flatMap { $0 }
    }

    /// The permissions that a key can have.
    package var permissions: [String] { Set(endpoints.map(\.permission)).sorted() }

    /// Paths that are not endpoints of the REST API.
    private static let others: [String: Set<String>] = [
        "/sdk/v1/batch": ["POST"], "/sdk/v1/in_app_messages": ["GET"],
        "/sdk/v1/web_push_key": ["GET"], "/sdk/v1/push-token": ["PUT", "DELETE"],
        "/sdk/v1/news": ["GET"], "/openapi.json": ["GET"], "/docs/api": ["GET"],
        "/exports/{token}": ["GET"], "/preferences/{token}": ["GET", "POST"],
    ]

    /// - Throws: ``WebFileError`` if the embedded files are invalid.
    package func add<Context: RequestContext>(to router: Router<Context>) throws {
        // Added before the routes: a router wraps only what is added afterwards.
        router.add(middleware: CrossOriginAccess())
        sdk.add(to: router)
        news.add(to: router)
        for endpoint in endpoints {
            endpoint.add(
                to: router,
                authorizer: authorizer,
                limiter: limiter,
                bodies: bodies
            )
        }
        exports.add(to: router)
        preferencePages.add(to: router)
        try ReferenceRoutes(endpoints: endpoints, limits: limits, files: .embedded)
            .add(to: router)
        router.add(
            middleware: NotFoundMiddleware<Context>(endpoints: endpoints, others: Self.others)
        )
    }
}
