import Accounts
import Analytics
import Audience
import Campaigns
import Content
import Crypto
import Foundation
import Front
import Hummingbird
import InAppMessages
import Ingestion
import Model
import News
import Ports
import Sends
import Users
import WebPages

/// Everything that is answered with JSON: the REST API and what the client libraries call.
package struct APIRoutes: Sendable {
    private let authorizer: APIAuthorizer
    private let limiter: RateLimiter
    private let bodies: APIRequestBody
    private let sdk: SDKRoutes
    private let news: NewsRoutes
    private let preferencePages: PreferencePageRoutes
    private let exports: SegmentExportRoutes
    private let limits: RateLimits
    private let endpoints: [RESTEndpoint]

    /// - Parameters:
    ///   - key: What signs links that are keys themselves; the server's own.
    ///   - webPushKey: the key that browsers subscribe to an app's pushes with.
    ///   - fetcher: calls the addresses that exports are to be told to.
    ///   - publicAddress: what links begin with; `nil` for where a request came to.
    package init(
        store: any Store,
        accounts: AccountService,
        ingestion: IngestionService,
        composer: PushComposer,
        control: SendControl,
        campaigns: CampaignService,
        audience: AudienceService,
        inAppMessages: InAppMessageService,
        syncs: FileSyncService,
        key: SymmetricKey,
        webPushKey: @escaping @Sendable (App) async throws -> String? = { _ in nil },
        fetcher: (any ContentFetcher)? = nil,
        publicAddress: PublicAddress? = nil,
        usesHTTPS: Bool = false,
        limits: RateLimits = RateLimits(),
        clientAddress: ClientAddress = ClientAddress(),
        strangers: StrangerBodies = StrangerBodies(),
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        now: @escaping @Sendable () -> Date
    ) {
        limiter = RateLimiter(limits, now: now)
        authorizer = APIAuthorizer(
            accounts: accounts,
            apps: store,
            limiter: limiter,
            address: clientAddress,
            audit: AuditLog(store: store, origin: .api, now: now)
        )
        self.limits = limits
        bodies = APIRequestBody(limit: limits.bodyBytes, strangers: strangers)
        let origin = LinkOrigin(publicAddress: publicAddress, usesHTTPS: usesHTTPS)
        exports = SegmentExportRoutes(
            store: store,
            audience: audience,
            links: ExportLinkService(store: store, now: now) { accounts.token() },
            fetcher: fetcher,
            origin: origin,
            now: now
        )
        sdk = SDKRoutes(
            authorizer: authorizer,
            ingestion: ingestion,
            inAppMessages: inAppMessages,
            webPushKey: webPushKey,
            bodies: bodies,
            now: now
        )
        let newsService = NewsService(store: store, now: now)
        news = NewsRoutes(
            authorizer: authorizer,
            news: newsService,
            authenticator: SDKAuthenticator(now: now)
        )
        let users = UserService(store: store, now: now)
        let subscriptions = SubscriptionGroupService(store: store, now: now, makeID: makeID)
        let catalogs = CatalogService(store: store, now: now)
        let preferenceCenters = PreferenceCenterService(
            store: store,
            links: PreferenceLinks(key: key),
            now: now,
            makeID: makeID
        )
        preferencePages = PreferencePageRoutes(
            centers: preferenceCenters,
            ingestion: ingestion,
            strangers: strangers,
            now: now
        )
        let groups: [[RESTEndpoint]] = [
            TrackRoutes(ingestion: ingestion, now: now).endpoints,
            IdentityRoutes(users: users).endpoints,
            DeleteRoutes(users: users).endpoints,
            ExportRoutes(store: store, users: users, now: now).endpoints,
            exports.endpoints,
            MessageRoutes(
                composer: composer,
                control: control,
                campaigns: campaigns,
                store: store,
                audience: audience,
                now: now
            ).endpoints,
            SegmentRoutes(
                store: store,
                segments: SegmentService(store: store, now: now),
                now: now
            ).endpoints,
            ListRoutes(store: store).endpoints,
            ContentBlockRoutes(
                blocks: ContentBlockService(store: store, now: now, makeID: makeID)
            ).endpoints,
            InAppMessageRoutes(store: store, service: inAppMessages).endpoints,
            CatalogRoutes(catalogs: catalogs).endpoints,
            CatalogItemRoutes(catalogs: catalogs).endpoints,
            SeriesRoutes(
                series: SeriesService(store: store, audience: audience),
                segments: store,
                now: now
            ).endpoints,
            SubscriptionRoutes(
                users: users,
                subscriptions: subscriptions,
                ingestion: ingestion,
                now: now
            ).endpoints,
            EmailRoutes(
                users: users,
                subscriptions: subscriptions,
                ingestion: ingestion,
                now: now
            ).endpoints,
            CampaignRoutes(store: store, reports: CampaignReports(store: store), now: now)
                .endpoints,
            CampaignTriggerRoutes(
                campaigns: campaigns,
                control: control,
                store: store,
                audience: audience,
                now: now
            ).endpoints,
            CampaignCopyRoutes(campaigns: campaigns, store: store).endpoints,
            FeedRoutes(news: newsService, series: SeriesService(store: store), now: now)
                .endpoints,
            CanvasRoutes().endpoints,
            SubscriptionGroupRoutes(groups: subscriptions).endpoints,
            PreferenceCenterRoutes(centers: preferenceCenters, origin: origin).endpoints,
            SyncRoutes(syncs: syncs).endpoints,
            SCIMRoutes(
                directory: MemberDirectory(
                    store: store,
                    accounts: accounts,
                    audit: AuditLog(store: store, origin: .api, now: now),
                    now: now
                ),
                origin: origin
            ).endpoints,
            SDKKeyRoutes(keys: SDKKeyService(store: store, makeID: makeID)).endpoints,
            WorkspaceRoutes(workspaces: WorkspaceService(store: store, now: now)).endpoints,
        ]
        endpoints = groups.flatMap { $0 }
    }

    /// What a key may be allowed, one by one.
    package var permissions: [String] { Set(endpoints.map(\.permission)).sorted() }

    /// What is no endpoint of the REST API.
    private static let others: [String: Set<String>] = [
        "/sdk/v1/batch": ["POST"], "/sdk/v1/in_app_messages": ["GET"],
        "/sdk/v1/web_push_key": ["GET"], "/sdk/v1/push-token": ["PUT", "DELETE"],
        "/sdk/v1/news": ["GET"], "/openapi.json": ["GET"], "/docs/api": ["GET"],
        "/exports/{token}": ["GET"], "/preferences/{token}": ["GET", "POST"],
    ]

    /// - Throws: ``TemplateError`` when the binary's own files are broken.
    package func add<Context: RequestContext>(to router: Router<Context>) throws {
        // Before the routes: a router wraps only what is added afterwards.
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
        router.add(middleware: UnknownPaths<Context>(endpoints: endpoints, others: Self.others))
    }
}
