import Analytics
import Audience
import Drafts
import Foundation
import Hummingbird
import InAppMessages
import Model
import NoroshiWire
import WebPages

/// The in-app message pages: list, details with results, and editor.
struct InAppRoutes: Sendable {
    /// Number of days in the chart of a message.
    private static let chartDays = 30
    private static let shownContacts = 8

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let messages: InAppMessageService
    private let desk: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        messages = site.services.inApp
        gate = ConsoleAuthenticator(site: site)
        desk = DraftDesk(site: site, kind: .inApp)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.inApp, .viewer) { visit, _ in try await list(visit) }
        get(.inAppMessage(":message"), .viewer) { visit, parameters in
            try await detail(site.inAppMessage(visit, parameters), visit)
        }
        get(.inAppUsers(":message"), .viewer) { visit, parameters in
            try await users(site.inAppMessage(visit, parameters), visit)
        }
        get(.newInApp, .marketer) { visit, _ in
            try await site.inAppPage(InAppForm(fields: visit.query), known: nil, visit)
        }
        get(.editInApp(":message"), .marketer) { visit, parameters in
            let known = try await site.inAppMessage(visit, parameters)
            return try await site.inAppPage(site.inAppForm(known, visit), known: known, visit)
        }
        get(.draft(.inApp, ":id"), .marketer) { visit, parameters in
            try await desk.open(visit, parameters) { draft, fields in
                try await site.inAppPage(
                    written(fields, visit),
                    known: site.inAppMessage(draft.subject, visit),
                    visit,
                    frame: desk.frame(draft, fields, visit)
                )
            }
        }
        get(.duplicateInApp(":message"), .marketer) { visit, parameters in
            var form = try await site.inAppForm(site.inAppMessage(visit, parameters), visit)
            form.name = visit.words("campaigns.copy_of", ["name": form.name])
            return try await site.inAppPage(form, known: nil, visit)
        }
        post(.saveInApp, .marketer) { visit, _ in try await save(visit) }
        post(.inAppStep(":message", ":step"), .marketer) { visit, parameters in
            let step = parameters.get("step").flatMap(InAppMessageDefinition.Step.init)
            guard let step else { throw PageProblem.notFound }
            let known = try await site.inAppMessage(visit, parameters)
            // Activation requires a review.
            guard step != .activate else {
                return HTMLResponse.redirect(to: ConsolePath.activateInApp(known.message.id).path)
            }
            return try await take(step, with: known, visit)
        }
        addAnswers(get, post)
    }

    /// The data for the pages' script and frames.
    private func addAnswers(_ get: ConsoleAuthenticator.Add, _ post: ConsoleAuthenticator.Add) {
        let answers = InAppResponses(site: site)
        post(.previewInApp, .marketer) { visit, _ in try await answers.preview(visit) }
        post(.inAppReach, .marketer) { visit, _ in try await answers.reach(visit) }
        post(.inAppPage, .marketer) { visit, _ in HTMLResponse.sandbox(visit.form["html"]) }
        get(.inAppHTML(":message"), .viewer) { visit, parameters in
            let preview = try await messages.preview(
                site.inAppMessage(visit, parameters),
                variant: Int(visit.query["variant"]) ?? 0
            )
            return HTMLResponse.sandbox(preview.message.message)
        }
    }

    private func page(
        _ template: String,
        _ content: some Any,
        title: String,
        _ visit: Visit
    ) throws -> Response {
        try site.page(template, content, title: title, place: .inApp, visit: visit)
    }

    private func list(_ visit: Visit) async throws -> Response {
        let query = InAppListQuery(fields: visit.query)
        let (found, total) = try await messages.messages(
            in: visit.workspace,
            matching: query.stored
        )
        let content = InAppListPage(
            found,
            total: total,
            counts: try await messages.counts(of: found, in: visit.workspace),
            query: query,
            drafts: try await desk.list(visit),
            visit: visit
        )
        return try page("in-app-list", content, title: visit.words("nav.in_app"), visit)
    }

    private func detail(_ stored: InAppMessageDefinition, _ visit: Visit) async throws -> Response {
        let content = InAppDetailPage(
            stored,
            audience: try await site.services.choices.choice(of: stored.audience),
            report: try await messages.report(of: stored, days: Self.chartDays, in: visit.zone),
            comparison: try await messages.comparison(of: stored),
            funnel: try await site.services.funnels.funnel(of: stored),
            contacts: try await messages.contacts(
                of: stored,
                matching: InAppMessageEngagementQuery(limit: Self.shownContacts)
            ),
            previews: try await messages.previews(of: stored),
            phonesAddress: site.settings.phonesAddress,
            visit: visit
        )
        return try page("in-app-detail", content, title: stored.name, visit)
    }

    private func users(_ stored: InAppMessageDefinition, _ visit: Visit) async throws -> Response {
        let query = InAppUsersQuery(fields: visit.query)
        let content = InAppUsersPage(
            try await messages.contacts(of: stored, matching: query.stored),
            of: stored,
            query: query,
            visit: visit
        )
        return try page("in-app-users", content, title: visit.words("in_app.users"), visit)
    }

    /// A form, with the name of the selected segment.
    private func written(_ fields: FormFields, _ visit: Visit) async throws -> InAppForm {
        var form = InAppForm(fields: fields)
        form.push = try await site.withSegmentName(form.push, visit)
        return form
    }

    private func save(_ visit: Visit) async throws -> Response {
        let form = try await written(visit.form, visit)
        let kept = try await desk.keep(visit)
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.inAppMessage(outcome).path)
        }
        let known = try await site.inAppMessage(kept.subject, visit)
        do {
            let stored = try await content(of: form, changing: known, visit)
            let origin = desk.origin(of: kept, visit.form)
            try await ConsoleRenderer.namingInApp(visit) {
                if known == nil {
                    try await messages.create(stored, from: origin, by: visit.actor)
                } else {
                    _ = try await messages.update(stored, from: origin, by: visit.actor)
                }
            }
            let id = stored.message.id
            // The message is saved; a review must follow before apps show it.
            return HTMLResponse.redirect(
                to: visit.form["step"] == InAppMessageDefinition.Step.activate.rawValue
                    ? ConsolePath.activateInApp(id).path
                    : FlashMessage.inAppSaved.address(ConsolePath.inAppMessage(id))
            )
        } catch let rejected as FormRejected {
            return try await site.inAppPage(
                form,
                known: known,
                visit,
                frame: desk.frame(kept, visit.form, visit),
                faults: rejected.faults
            )
        } catch let finished as DraftFinished {
            return HTMLResponse.redirect(to: ConsolePath.inAppMessage(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await site.inAppMessage(kept.subject, visit)
            return try await site.inAppPage(
                form,
                known: current,
                visit,
                frame: desk.frame(kept, version: current?.updatedAt, isConflict: true, visit)
            )
        }
    }

    /// The content of a form for an existing or new message.
    ///
    /// - Throws: ``FormRejected``.
    private func content(
        of form: InAppForm,
        changing known: InAppMessageDefinition?,
        _ visit: Visit
    ) async throws -> InAppMessageDefinition {
        var shown: InAppForm?
        if let known { shown = try await site.inAppForm(known, visit) }
        var stored = try form.checked(
            changing: known ?? messages.blank(in: visit.workspace),
            shownAs: shown,
            visit
        )
        let choices = site.services.choices
        if let known,
            form.push.audience.stillSays(try await choices.choice(of: known.audience))
        {
            return stored
        }
        stored.audience = try await ConsoleRenderer.namingInApp(visit) {
            try await choices.query(form.push.audience.choice, in: visit.workspace)
        }
        return stored
    }

    private func take(
        _ step: InAppMessageDefinition.Step,
        with stored: InAppMessageDefinition,
        _ visit: Visit
    ) async throws -> Response {
        let path = ConsolePath.inAppMessage(stored.message.id)
        do {
            let isDone = try await ConsoleRenderer.namingInApp(visit) {
                try await messages.take(step, with: stored, by: visit.actor)
            }
            return HTMLResponse.redirect(to: (isDone ? step.notice : .inAppMoved).address(path))
        } catch let rejected as FormRejected {
            return try await site.inAppPage(
                site.inAppForm(stored, visit),
                known: stored,
                visit,
                faults: rejected.faults
            )
        }
    }
}
