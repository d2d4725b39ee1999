import Hummingbird
import Model
import WebPages

/// The first page.
struct OverviewRoutes: Sendable {
    private static let days = 30

    private let site: ConsoleSite

    init(site: ConsoleSite) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/") { _, _ in PageAnswer.redirect(to: ConsolePath.overview.path) }
        router.get(
            RouterPath(ConsolePath.overview.path),
            use: Gate(site: site).member { visit, _ in
                let figures = try await site.services.overview(
                    days: Self.days,
                    for: visit.member
                )
                // Only those who can do something about it are told.
                let warnings =
                    visit.may(.administrator)
                    ? try await site.features.apps?.credentialWarnings(for: visit.member) : nil
                return try site.page(
                    "overview",
                    OverviewPage(
                        figures,
                        warnings: warnings ?? [],
                        phones: site.settings.phonesAddress,
                        visit: visit
                    ),
                    title: visit.words("nav.overview"),
                    place: .overview,
                    visit: visit
                )
            }
        )
    }
}
