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
        get(.facts, .administrator) { context, _ in try await list(context) }
        post(.facts, .administrator) { context, _ in try await create(context) }
        post(.factWebhookStep, .administrator) { context, _ in try await step(context) }
    }

    private func create(_ context: ConsoleContext) async throws -> Response {
        do {
            let made = try await site.services.factWebhooks.create(
                name: context.form["name"],
                address: context.form["url"],
                kinds: Set(Fact.Kind.allCases),
                from: context.form["start"] == FactWebhookService.Start.beginning.rawValue
                    ? .beginning : .now,
                by: context.actor
            )
            return try await list(context, secret: made.secret)
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
            return try await list(context, faults: faults)
        }
    }

    private func step(_ context: ConsoleContext) async throws -> Response {
        let webhooks = site.services.factWebhooks
        guard let id = UUID(uuidString: context.form["webhook"]) else {
            return HTMLResponse.redirect(to: ConsolePath.facts.path)
        }
        switch FactsPage.Step(rawValue: context.form["step"]) {
        case .pause: _ = try await webhooks.set(id, isActive: false, by: context.actor)
        case .resume: _ = try await webhooks.set(id, isActive: true, by: context.actor)
        // One that is gone already is not an error.
        case .delete: _ = try await webhooks.delete(id, by: context.actor)
        case .reveal:
            return try await list(
                context,
                secret: try await webhooks.secret(of: id, by: context.actor)
            )
        case nil: break
        }
        return HTMLResponse.redirect(to: ConsolePath.facts.path)
    }

    private func list(
        _ context: ConsoleContext,
        secret: String? = nil,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        let webhooks = try await site.services.factWebhooks.webhooks(in: context.workspace)
        return try site.settingsPage(
            "settings-facts",
            .facts,
            context,
            FactsPage(webhooks, secret: secret, faults: faults, context: context),
            isWrong: !faults.isEmpty
        )
    }
}
