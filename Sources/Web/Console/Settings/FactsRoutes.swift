import Facts
import Foundation
import Hummingbird
import Model
import WebPages

/// The addresses that get what happened.
struct FactsRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.facts, .administrator) { visit, _ in try await list(visit) }
        post(.facts, .administrator) { visit, _ in try await create(visit) }
        post(.factWebhookStep, .administrator) { visit, _ in try await step(visit) }
    }

    private func create(_ visit: Visit) async throws -> Response {
        do {
            let made = try await site.services.factWebhooks.create(
                name: visit.form["name"],
                address: visit.form["url"],
                kinds: Set(Fact.Kind.allCases),
                from: visit.form["start"] == FactWebhookService.Start.beginning.rawValue
                    ? .beginning : .now,
                by: visit.actor
            )
            return try await list(visit, secret: made.secret)
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFault($0, at: \.description, visit.words) }
            return try await list(visit, faults: faults)
        }
    }

    private func step(_ visit: Visit) async throws -> Response {
        let webhooks = site.services.factWebhooks
        guard let id = UUID(uuidString: visit.form["webhook"]) else {
            return HTMLResponse.redirect(to: ConsolePath.facts.path)
        }
        switch FactsPage.Step(rawValue: visit.form["step"]) {
        case .pause: _ = try await webhooks.set(id, isActive: false, by: visit.actor)
        case .resume: _ = try await webhooks.set(id, isActive: true, by: visit.actor)
        // One that is gone already is not an error.
        case .delete: _ = try await webhooks.delete(id, by: visit.actor)
        case .reveal:
            return try await list(visit, secret: try await webhooks.secret(of: id, by: visit.actor))
        case nil: break
        }
        return HTMLResponse.redirect(to: ConsolePath.facts.path)
    }

    private func list(
        _ visit: Visit,
        secret: String? = nil,
        faults: [FormFault] = []
    ) async throws -> Response {
        let webhooks = try await site.services.factWebhooks.webhooks(in: visit.workspace)
        return try site.settingsPage(
            "settings-facts",
            .facts,
            visit,
            FactsPage(webhooks, secret: secret, faults: faults, visit: visit),
            isWrong: !faults.isEmpty
        )
    }
}
