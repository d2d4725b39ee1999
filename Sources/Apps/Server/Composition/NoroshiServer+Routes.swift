import API
import Console
import Front
import Hummingbird
import Model
import Monitoring
import Phones
import Sends
import WebPages

extension NoroshiServer {
    /// All routes of the server.
    ///
    /// - Parameter phones: Virtual phones, whose pages are also served.
    package func router(phones: (any PhoneHost)?) throws -> Router<APIRequestContext> {
        guard settings.roles.contains(.requests) else {
            let router = Router(context: APIRequestContext.self)
            router.add(middleware: RequestsElsewhere())
            healthRoutes.add(to: router)
            return router
        }
        let strangers = StrangerBodies(budget: { [limits] in limits.strangersBudget })
        let api = apiRoutes(strangers: strangers)
        let router = try pages(phones: phones, beside: api, strangers: strangers)
        healthRoutes.add(to: router)
        try api.add(to: router)
        return router
    }

    private var healthRoutes: HealthRoutes {
        HealthRoutes(
            audience: audience,
            keepsColumns: settings.roles.keepsColumns,
            accounts: accounts,
            watch: storeWatch,
            holds: holdWatch,
            servers: serverCount,
            leads: { [part] in part.leads },
            isSilent: { [part, dependencies] in part.isSilent(at: dependencies.uptime()) }
        )
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

    func pages(
        phones: (any PhoneHost)?,
        beside api: APIRoutes,
        strangers: StrangerBodies,
        books: ConsoleBooks? = nil
    ) throws -> Router<APIRequestContext> {
        let router = Router(context: APIRequestContext.self)
        if let registry {
            router.add(middleware: RequestMetrics(registry, uptime: dependencies.uptime))
        }
        if spans.isOn {
            router.add(
                middleware: RequestSpans(spans, trustedProxies: settings.trustedProxies)
            )
        }
        if settings.log.hasRequests {
            router.add(middleware: AccessLog(uptime: dependencies.uptime))
        }
        router.add(middleware: ForwardedHeaders(trustedProxies: settings.trustedProxies))
        if let tls = settings.tls, tls.hstsDays > 0 {
            router.add(middleware: StrictTransport(days: tls.hstsDays))
        }
        router.add(middleware: NullFreeAddresses())
        router.add(
            middleware: AnswerRules<APIRequestContext> { APIError.unexpected($0, at: $1, $2) }
        )
        AssetRoutes.embedded.add(to: router)
        WebSDKRoutes(files: .embedded).add(to: router)
        let site = try console(
            beside: api,
            strangers: strangers,
            books: books,
            hasPhones: phones != nil
        )
        ConsoleRoutes(site: site).add(to: router)
        if let phones {
            try PhoneRoutes(host: phones, consoleAddress: ConsolePath.overview.path)
                .add(to: router)
        }
        return router
    }
}
