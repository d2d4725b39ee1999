import Analytics
import Audience
import Campaigns
import Credentials
import Foundation
import Hummingbird
import Model
import Sends
import WebPages

/// The first page.
struct OverviewRoutes: Sendable {
    /// Number of sends shown of each kind.
    private static let shownSends = 5
    private static let shownReports = 6

    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/") { _, _ in HTMLResponse.redirect(to: ConsolePath.overview.path) }
        router.get(
            RouterPath(ConsolePath.overview.path),
            use: ConsoleAuthenticator(site: site).member { context, _ in
                let sends = site.services.sends
                func latest(_ states: Set<SendState>) async throws -> [SendReport] {
                    try await sends.latest(
                        of: context.workspace,
                        in: states,
                        limit: Self.shownSends
                    )
                }
                // Only members who can act on a warning see it.
                let warnings =
                    context.hasRole(atLeast: .administrator)
                    ? try await site.services.credentials.warnings(in: context.workspace) : []
                let span = OverviewSpan(context)
                return try site.page(
                    "overview",
                    OverviewPage(
                        try await site.services.overview.overview(
                            of: context.workspace,
                            days: span.days,
                            endingAt: span.last,
                            in: context.zone
                        ),
                        span: span,
                        underway: try await latest([.planning, .sending, .paused])
                            + latest([.scheduled]),
                        planned: try await planned(context),
                        recent: try await latest([.finished]),
                        reports: try await pinned(context),
                        warnings: warnings,
                        phones: site.settings.phonesAddress,
                        context: context
                    ),
                    title: context.words("nav.overview"),
                    place: .overview,
                    context: context
                )
            }
        )
    }

    /// The saved reports of the overview; one that cannot be made now has no figure.
    private func pinned(_ context: ConsoleContext) async throws -> [PinnedReport] {
        let saved = site.services.savedReports
        var pinned: [PinnedReport] = []
        for report in try await saved.reports(in: context.workspace)
        where report.content.isOnOverview && pinned.count < Self.shownReports {
            var answer: ReportAnswer?
            var since: Date?
            do {
                let found = try await saved.run(report)
                (answer, since) = (found.answer, found.completeSince)
            } catch  where error is FieldProblem || error is AudienceError {
                // Its own page says why.
            }
            pinned.append(
                PinnedReport(
                    report,
                    answer,
                    since: since.map { context.moment($0).exact },
                    words: context.words
                )
            )
        }
        return pinned
    }

    /// The active campaigns that are launched next.
    private func planned(_ context: ConsoleContext) async throws -> [Campaign] {
        try await site.services.campaigns.campaigns(
            in: context.workspace,
            matching: CampaignQuery(states: [.active], order: .nextDue, limit: Self.shownSends)
        ).campaigns.filter { $0.nextRunAt != nil }
    }
}
