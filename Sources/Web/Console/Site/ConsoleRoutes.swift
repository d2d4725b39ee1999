import Hummingbird
import WebPages

/// The console's pages, for the server's router.
package struct ConsoleRoutes: Sendable {
    private let site: ConsoleSite

    package init(site: ConsoleSite) {
        self.site = site
    }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        AccountRoutes(site: site).add(to: router)
        OverviewRoutes(site: site).add(to: router)
        PushRoutes(site: site).add(to: router)
    }
}
