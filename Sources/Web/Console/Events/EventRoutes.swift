import Foundation
import Hummingbird
import Model
import WebPages

/// The events, the attributes and the block list.
struct EventRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let events: any EventPages

    init(site: ConsoleSite, events: any EventPages) {
        self.site = site
        self.events = events
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.events.path),
            use: gate.member { visit, _ in
                let query = EventQuery(fields: visit.query)
                let page = EventsPage(
                    try await events.events(query, for: visit.member),
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
            RouterPath(ConsolePath.attributes.path),
            use: gate.member { visit, _ in
                let page = AttributesPage(
                    try await events.attributes(for: visit.member),
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
        router.post(
            RouterPath(ConsolePath.blockName.path),
            use: gate.member(.administrator) { visit, _ in try await block(visit) }
        )
    }

    private func block(_ visit: Visit) async throws -> Response {
        let name = visit.form["name"].trimmingCharacters(in: .whitespaces)
        guard let kind = DataKind(rawValue: visit.form["kind"]), !name.isEmpty else {
            throw PageProblem.notFound
        }
        let isBlocked = visit.form["block"] == "yes"
        try await events.setBlocked(name, of: kind, to: isBlocked, for: visit.member)
        let action: AuditAction =
            switch (kind, isBlocked) {
            case (.event, true): .eventBlocked
            case (.event, false): .eventAllowed
            case (.attribute, true): .attributeBlocked
            case (.attribute, false): .attributeAllowed
            }
        try await site.record(action, name, visit)
        let notice: Notice = isBlocked ? .nameBlocked : .nameAllowed
        return PageAnswer.redirect(to: notice.address(kind == .event ? .events : .attributes))
    }
}
