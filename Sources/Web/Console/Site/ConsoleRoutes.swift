import Hummingbird
import WebPages

/// The console's pages, for the server's router.
package struct ConsoleRoutes: Sendable {
    private let site: ConsoleRenderer

    package init(site: ConsoleRenderer) {
        self.site = site
    }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        AccountRoutes(site: site).add(to: router)
        OverviewRoutes(site: site).add(to: router)
        PushRoutes(site: site).add(to: router)
        CampaignRoutes(site: site).add(to: router)
        JourneyRoutes(site: site).add(to: router)
        RehearsalRoutes(site: site).add(to: router)
        FileRoutes(site: site).add(to: router)
        BlockRoutes(site: site).add(to: router)
        CatalogRoutes(site: site).add(to: router)
        InAppRoutes(site: site).add(to: router)
        InAppReviewRoutes(site: site).add(to: router)
        NewsRoutes(site: site).add(to: router)
        UserRoutes(site: site).add(to: router)
        UserEditorRoutes(site: site).add(to: router)
        WhyRoutes(site: site).add(to: router)
        EventRoutes(site: site).add(to: router)
        ReportRoutes(site: site).add(to: router)
        SavedReportRoutes(site: site).add(to: router)
        SegmentOverlapRoutes(site: site).add(to: router)
        AttributeValueRoutes(site: site).add(to: router)
        SegmentRoutes(site: site).add(to: router)
        UserListRoutes(site: site).add(to: router)
        PasswordRoutes(site: site).add(to: router)
        SecondStepRoutes(site: site).add(to: router)
        SecondFactorRoutes(site: site).add(to: router)
        PasskeyRoutes(site: site).add(to: router)
        PasskeyLoginRoutes(site: site).add(to: router)
        OpenIDLoginRoutes(site: site).add(to: router)
        SettingsRoutes(site: site).add(to: router)
        PaletteRoutes(site: site).add(to: router)
        router.get(
            RouterPath(ConsolePath.overview.path + "/**"),
            use: ConsoleAuthenticator(site: site).member { _, _ in throw PageError.notFound }
        )
    }
}
