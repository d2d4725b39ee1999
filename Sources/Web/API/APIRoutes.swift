import Accounts
import Audience
import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import News
import Ports

/// Everything that is answered with JSON: the REST API and what the client libraries call.
package struct APIRoutes: Sendable {
    private let authorizer: APIAuthorizer
    private let limiter: RateLimiter
    private let sdk: SDKRoutes
    private let news: NewsRoutes
    private let endpoints: [RESTEndpoint]

    /// - Parameter webPushKey: the key that browsers subscribe to an app's pushes with.
    package init(
        store: any Store,
        accounts: AccountService,
        ingestion: IngestionService,
        composer: PushComposer,
        audience: AudienceService,
        webPushKey: @escaping @Sendable (App) async throws -> String? = { _ in nil },
        limits: RateLimits = RateLimits(),
        now: @escaping @Sendable () -> Date
    ) {
        limiter = RateLimiter(limits, now: now)
        authorizer = APIAuthorizer(accounts: accounts, apps: store, limiter: limiter)
        sdk = SDKRoutes(
            authorizer: authorizer,
            ingestion: ingestion,
            webPushKey: webPushKey,
            now: now
        )
        news = NewsRoutes(
            authorizer: authorizer,
            news: NewsService(store: store, now: now)
        )
        endpoints =
            TrackRoutes(ingestion: ingestion, now: now).endpoints
            + IdentityRoutes(store: store, now: now).endpoints
            + DeleteRoutes(store: store, now: now).endpoints
            + ExportRoutes(store: store, now: now).endpoints
            + MessageRoutes(
                composer: composer,
                store: store,
                audience: audience,
                now: now
            ).endpoints
            + SegmentRoutes(
                store: store,
                segments: SegmentService(store: store, now: now),
                now: now
            ).endpoints
            + ListRoutes(store: store).endpoints
            + ContentBlockRoutes(store: store, now: now).endpoints
            + CatalogRoutes(store: store, now: now).endpoints
            + CatalogItemRoutes(store: store, now: now).endpoints
    }

    package func add(to router: Router<some RequestContext>) {
        // Before the routes: a router wraps only what is added afterwards.
        router.add(middleware: CrossOriginAccess())
        sdk.add(to: router)
        news.add(to: router)
        for endpoint in endpoints {
            endpoint.add(to: router, authorizer: authorizer, limiter: limiter)
        }
        let description = OpenAPIDocument(endpoints: endpoints).json
        router.get("/openapi.json") { _, _ in try APIAnswer.json(description) }
    }
}
