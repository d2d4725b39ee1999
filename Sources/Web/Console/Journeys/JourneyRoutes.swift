import Foundation
import Hummingbird
import Journeys
import Model
import Users
import WebPages

/// The pages of journeys: the list, a journey with its figures, and the people in it.
struct JourneyRoutes: Sendable {
    private static let shownVersions = 10
    /// Of the chart.
    private static let shownDays = 30
    private static let peopleOfAPage = 25

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let journeys: JourneyService
    private let desk: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        journeys = site.services.journeys
        gate = ConsoleAuthenticator(site: site)
        desk = DraftDesk(site: site, kind: .journey)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        addReading(to: router)
        addPeople(to: router)
        router.post(
            RouterPath(ConsolePath.journeyAction(":journey", ":action").path),
            use: gate.member(.marketer) { context, parameters in
                let journey = try await site.journey(parameters.get("journey"), context)
                guard let action = parameters.get("action").flatMap(JourneyAction.init) else {
                    throw PageError.notFound
                }
                let path = ConsolePath.journey("\(journey.id)")
                do {
                    try await journeys.take(action, with: journey, by: context.actor)
                    return HTMLResponse.redirect(to: action.notice.address(path))
                } catch is RefusalError {
                    return HTMLResponse.redirect(to: FlashMessage.journeyMoved.address(path))
                }
            }
        )
        JourneyEditorRoutes(site: site).add(to: router)
    }

    private func addReading<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.journeys.path),
            use: gate.member { context, _ in
                var query = JourneyListQuery(fields: context.query)
                query.order = JourneyListQuery.order(context.query)
                let list = try await journeys.journeys(
                    in: context.workspace,
                    matching: query.stored
                )
                return try site.page(
                    "journeys",
                    JourneysPage(
                        list,
                        totals: try await journeys.totals(of: list.journeys),
                        query: query,
                        drafts: try await desk.list(context),
                        context: context
                    ),
                    title: context.words("nav.journeys"),
                    place: .journeys,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.journey(":journey").path),
            use: gate.member { context, parameters in
                let journey = try await site.journey(parameters.get("journey"), context)
                let shown = try await site.definition(of: journey)
                return try site.page(
                    "journey-detail",
                    JourneyDetailPage(
                        journey,
                        shown: shown,
                        names: try await JourneyNames(shown, site.services, context),
                        figures: try await journeys.figures(of: journey),
                        days: journey.version == nil
                            ? []
                            : try await journeys.series(
                                of: journey,
                                days: Self.shownDays,
                                endingAt: context.now
                            ),
                        splits: try await splits(of: journey, shown, context.words),
                        versions: Array(
                            try await journeys.versions(of: journey).prefix(Self.shownVersions)
                        ),
                        phonesAddress: site.settings.phonesAddress,
                        context: context
                    ),
                    title: journey.draft.name,
                    place: .journeys,
                    context: context
                )
            }
        )
    }

    /// The results of its random splits; without a goal there is nothing to compare.
    private func splits(
        of journey: Journey,
        _ definition: JourneyDefinition,
        _ words: Words
    ) async throws -> [JourneySplitPart] {
        guard journey.version != nil, definition.goal != nil else { return [] }
        var parts: [JourneySplitPart] = []
        for step in definition.steps {
            guard case .split = step.kind,
                let split = try await journeys.split(at: step.id, of: journey),
                let part = JourneySplitPart(split, at: step, words: words)
            else { continue }
            parts.append(part)
        }
        return parts
    }

    private func addPeople<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.journeyPeople(":journey", ":step").path),
            use: gate.member { context, parameters in
                let journey = try await site.journey(parameters.get("journey"), context)
                guard let uuid = parameters.get("step").flatMap(UUID.init(uuidString:)) else {
                    throw PageError.notFound
                }
                return try await people(at: JourneyStepID(uuid), of: journey, context)
            }
        )
        router.get(
            RouterPath(ConsolePath.journeyPerson(":journey", ":user").path),
            use: gate.member { context, parameters in
                let journey = try await site.journey(parameters.get("journey"), context)
                guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
                    let user = try await site.services.users.user(id, in: context.workspace)
                else { throw PageError.notFound }
                let entries = try await site.entries(
                    of: user.summary.profile,
                    in: journey,
                    context
                )
                return try site.page(
                    "journey-person",
                    JourneyPersonPage(
                        journey,
                        user: UsersPage.Row(user.summary, context: context),
                        entries: entries
                    ),
                    title: journey.draft.name,
                    place: .journeys,
                    context: context
                )
            }
        )
    }

    private func people(
        at step: JourneyStepID,
        of journey: Journey,
        _ context: ConsoleContext
    ) async throws -> Response {
        let shown = try await site.definition(of: journey)
        let page = ListPage(named: context.query["page"], size: Self.peopleOfAPage)
        let group = JourneyStepGroup(rawValue: context.query["group"]) ?? .entered
        let found = try await journeys.people(at: step, of: journey, in: group, page: page)
        var names: [ProfileID: String] = [:]
        for entry in found.entries where names[entry.profile] == nil {
            guard
                let user = try await site.services.users.user(entry.profile, in: context.workspace)
            else { continue }
            names[entry.profile] = UsersPage.Row(user.summary, context: context).title
        }
        let number = JourneyLayout(shown).numbers[step]
        let title = shown.step(step).map { "\(number ?? 0) · \($0.title(context.words))" }
        return try site.page(
            "journey-people",
            JourneyPeoplePage(
                found,
                names: names,
                at: step,
                title: title ?? context.words("journeys.removed_step"),
                of: journey,
                in: group,
                page: page,
                context: context
            ),
            title: journey.draft.name,
            place: .journeys,
            context: context
        )
    }
}

extension ConsoleRenderer {
    /// - Throws: ``PageError`` if there is no such journey.
    func journey(_ number: String?, _ context: ConsoleContext) async throws -> Journey {
        guard let id = number.flatMap({ Int64($0) }),
            let journey = try await services.journeys.journey(
                JourneyID(id),
                in: context.workspace
            )
        else { throw PageError.notFound }
        return journey
    }

    /// What people go through now; the draft of a journey that was never published.
    func definition(of journey: Journey) async throws -> JourneyDefinition {
        guard let number = journey.version,
            let version = try await services.journeys.version(number, of: journey)
        else { return journey.draft }
        return version.definition
    }

    /// A person's entries into a journey, or into all, the newest first.
    func entries(
        of profile: Profile,
        in journey: Journey? = nil,
        limit: Int = 100,
        _ context: ConsoleContext
    ) async throws -> [JourneyEntryPart] {
        var parts: [JourneyEntryPart] = []
        let found = try await services.journeys.explanations(of: profile, in: journey)
        for explanation in found.prefix(limit) {
            parts.append(
                JourneyEntryPart(
                    explanation,
                    names: try await JourneyNames(explanation.definition, services, context),
                    context: context
                )
            )
        }
        return parts
    }
}
