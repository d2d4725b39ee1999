import Analytics
import Audience
import Hummingbird
import Model
import Reports
import Segments
import WebPages

/// The events, the attributes and the block list.
struct EventRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let events: EventCatalog

    init(site: ConsoleRenderer) {
        self.site = site
        events = site.services.events
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.events.path),
            use: gate.member { visit, _ in
                let query = EventQuery(fields: visit.query)
                let found = try await events.events(
                    in: visit.workspace,
                    matching: query.text,
                    days: EventQuery.days,
                    in: visit.zone,
                    limit: query.page.size,
                    offset: query.page.offset
                )
                let page = EventsPage(
                    found.events,
                    total: found.total,
                    query: query,
                    visit: visit
                )
                return try site.page(
                    "events",
                    page,
                    title: visit.words("nav.events"),
                    place: .events,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.eventDetail.path),
            use: gate.member { visit, _ in try await event(visit) }
        )
        router.get(
            RouterPath(ConsolePath.attributes.path),
            use: gate.member { visit, _ in
                let page = AttributesPage(
                    try await events.attributes(in: visit.workspace),
                    visit: visit
                )
                return try site.page(
                    "attributes",
                    page,
                    title: visit.words("users.custom"),
                    place: .events,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.attributeDetail.path),
            use: gate.member { visit, _ in try await attribute(visit) }
        )
        router.post(
            RouterPath(ConsolePath.blockName.path),
            use: gate.member(.administrator) { visit, _ in try await block(visit) }
        )
    }

    private func event(_ visit: Visit) async throws -> Response {
        let name = visit.query["name"]
        guard let (event, isBlocked) = try await events.detail(of: name, in: visit.workspace) else {
            throw PageProblem.notFound
        }
        let days = OverviewPage.days(visit.query)
        var answer: SeriesAnswer?
        do {
            answer = try await site.services.activityReports.series(
                SeriesQuestion(
                    period: ReportPeriod(.day, length: days, endingAt: visit.now, in: visit.zone),
                    figure: .activity(ReportActivity(.event(name))),
                    isCompared: true,
                    breakdown: ReportBreakdown(.platform)
                ),
                in: visit.workspace
            )
        } catch is AudienceProblem {
            // The users are still being read; the page says so.
        }
        return try site.page(
            "event",
            EventPage(
                name,
                event,
                isBlocked: isBlocked,
                answer: answer,
                days: days,
                visit: visit
            ),
            title: name,
            place: .events,
            visit: visit
        )
    }

    private func attribute(_ visit: Visit) async throws -> Response {
        let name = visit.query["name"]
        let attributes = try await events.attributes(in: visit.workspace)
        guard attributes.contains(where: { $0.name == name }),
            let path = AttributePath([.key(name)])
        else { throw PageProblem.notFound }
        var answer: CompositionAnswer?
        do {
            answer = try await site.services.activityReports.composition(
                CompositionQuestion(breakdown: ReportBreakdown(.attribute(.custom(path)))),
                in: visit.workspace
            )
        } catch is AudienceProblem {
            // The users are still being read; the page says so.
        }
        return try site.page(
            "attribute",
            AttributePage(name, answer, visit: visit),
            title: name,
            place: .events,
            visit: visit
        )
    }

    private func block(_ visit: Visit) async throws -> Response {
        let name = visit.form.trimmed("name")
        guard let kind = BlockedName.Kind(rawValue: visit.form["kind"]), !name.isEmpty else {
            throw PageProblem.notFound
        }
        let isBlocked = visit.form["block"] == "yes"
        try await events.setBlocked(
            BlockedName(kind, name),
            to: isBlocked,
            by: visit.actor
        )
        let notice: FlashMessage = isBlocked ? .nameBlocked : .nameAllowed
        return HTMLResponse.redirect(to: notice.address(kind == .event ? .events : .attributes))
    }
}
