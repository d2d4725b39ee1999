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
            use: gate.member { context, _ in
                let query = EventQuery(fields: context.query)
                let found = try await events.events(
                    in: context.workspace,
                    matching: query.text,
                    days: EventQuery.days,
                    in: context.zone,
                    limit: query.page.size,
                    offset: query.page.offset
                )
                let page = EventsPage(
                    found.events,
                    total: found.total,
                    query: query,
                    context: context
                )
                return try site.page(
                    "events",
                    page,
                    title: context.words("nav.events"),
                    place: .events,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.eventDetail.path),
            use: gate.member { context, _ in try await event(context) }
        )
        router.get(
            RouterPath(ConsolePath.attributes.path),
            use: gate.member { context, _ in
                let page = AttributesPage(
                    try await events.attributes(in: context.workspace),
                    context: context
                )
                return try site.page(
                    "attributes",
                    page,
                    title: context.words("users.custom"),
                    place: .events,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.attributeDetail.path),
            use: gate.member { context, _ in try await attribute(context) }
        )
        router.post(
            RouterPath(ConsolePath.blockName.path),
            use: gate.member(.administrator) { context, _ in try await block(context) }
        )
    }

    private func event(_ context: ConsoleContext) async throws -> Response {
        let name = context.query["name"]
        guard let (event, isBlocked) = try await events.detail(of: name, in: context.workspace)
        else {
            throw PageError.notFound
        }
        let days = OverviewPage.days(context.query)
        var answer: SeriesAnswer?
        do {
            answer = try await site.services.activityReports.series(
                SeriesQuestion(
                    period: ReportPeriod(
                        .day,
                        length: days,
                        endingAt: context.now,
                        in: context.zone
                    ),
                    figure: .activity(ReportActivity(.event(name))),
                    isCompared: true,
                    breakdown: ReportBreakdown(.platform)
                ),
                in: context.workspace
            )
        } catch is AudienceError {
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
                context: context
            ),
            title: name,
            place: .events,
            context: context
        )
    }

    private func attribute(_ context: ConsoleContext) async throws -> Response {
        let name = context.query["name"]
        let attributes = try await events.attributes(in: context.workspace)
        guard attributes.contains(where: { $0.name == name }),
            let path = AttributePath([.key(name)])
        else { throw PageError.notFound }
        var answer: CompositionAnswer?
        do {
            answer = try await site.services.activityReports.composition(
                CompositionQuestion(breakdown: ReportBreakdown(.attribute(.custom(path)))),
                in: context.workspace
            )
        } catch is AudienceError {
            // The users are still being read; the page says so.
        }
        return try site.page(
            "attribute",
            AttributePage(name, answer, context: context),
            title: name,
            place: .events,
            context: context
        )
    }

    private func block(_ context: ConsoleContext) async throws -> Response {
        let name = context.form.trimmed("name")
        guard let kind = BlockedName.Kind(rawValue: context.form["kind"]), !name.isEmpty else {
            throw PageError.notFound
        }
        let isBlocked = context.form["block"] == "yes"
        try await events.setBlocked(
            BlockedName(kind, name),
            to: isBlocked,
            by: context.actor
        )
        let notice: FlashMessage = isBlocked ? .nameBlocked : .nameAllowed
        return HTMLResponse.redirect(to: notice.address(kind == .event ? .events : .attributes))
    }
}
