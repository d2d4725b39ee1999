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
        get(.inApp, .viewer) { context, _ in try await list(context) }
        get(.inAppMessage(":message"), .viewer) { context, parameters in
            try await detail(site.inAppMessage(context, parameters), context)
        }
        get(.inAppUsers(":message"), .viewer) { context, parameters in
            try await users(site.inAppMessage(context, parameters), context)
        }
        get(.newInApp, .marketer) { context, _ in
            try await site.inAppPage(InAppForm(fields: context.query), known: nil, context)
        }
        get(.editInApp(":message"), .marketer) { context, parameters in
            let known = try await site.inAppMessage(context, parameters)
            return try await site.inAppPage(site.inAppForm(known, context), known: known, context)
        }
        get(.draft(.inApp, ":id"), .marketer) { context, parameters in
            try await desk.open(context, parameters) { draft, fields in
                try await site.inAppPage(
                    written(fields, context),
                    known: site.inAppMessage(draft.subject, context),
                    context,
                    frame: desk.frame(draft, fields, context)
                )
            }
        }
        get(.duplicateInApp(":message"), .marketer) { context, parameters in
            var form = try await site.inAppForm(site.inAppMessage(context, parameters), context)
            form.name = context.words("campaigns.copy_of", ["name": form.name])
            return try await site.inAppPage(form, known: nil, context)
        }
        post(.saveInApp, .marketer) { context, _ in try await save(context) }
        post(.inAppStep(":message", ":step"), .marketer) { context, parameters in
            let step = parameters.get("step").flatMap(InAppMessageDefinition.Step.init)
            guard let step else { throw PageError.notFound }
            let known = try await site.inAppMessage(context, parameters)
            // Activation requires a review.
            guard step != .activate else {
                return HTMLResponse.redirect(to: ConsolePath.activateInApp(known.message.id).path)
            }
            return try await take(step, with: known, context)
        }
        addAnswers(get, post)
    }

    /// The data for the pages' script and frames.
    private func addAnswers(_ get: ConsoleAuthenticator.Add, _ post: ConsoleAuthenticator.Add) {
        let answers = InAppResponses(site: site)
        post(.previewInApp, .marketer) { context, _ in try await answers.preview(context) }
        post(.inAppReach, .marketer) { context, _ in try await answers.reach(context) }
        post(.inAppPage, .marketer) { context, _ in HTMLResponse.sandbox(context.form["html"]) }
        get(.inAppHTML(":message"), .viewer) { context, parameters in
            let preview = try await messages.preview(
                site.inAppMessage(context, parameters),
                variant: Int(context.query["variant"]) ?? 0
            )
            return HTMLResponse.sandbox(preview.message.message)
        }
    }

    private func page(
        _ template: String,
        _ content: some Any,
        title: String,
        _ context: ConsoleContext
    ) throws -> Response {
        try site.page(template, content, title: title, place: .inApp, context: context)
    }

    private func list(_ context: ConsoleContext) async throws -> Response {
        let query = InAppListQuery(fields: context.query)
        let (found, total) = try await messages.messages(
            in: context.workspace,
            matching: query.stored
        )
        let content = InAppListPage(
            found,
            total: total,
            counts: try await messages.counts(of: found, in: context.workspace),
            query: query,
            drafts: try await desk.list(context),
            context: context
        )
        return try page("in-app-list", content, title: context.words("nav.in_app"), context)
    }

    private func detail(_ stored: InAppMessageDefinition, _ context: ConsoleContext) async throws
        -> Response
    {
        let content = InAppDetailPage(
            stored,
            audience: try await site.services.choices.choice(of: stored.audience),
            report: try await messages.report(of: stored, days: Self.chartDays, in: context.zone),
            comparison: try await messages.comparison(of: stored),
            funnel: try await site.services.funnels.funnel(of: stored),
            contacts: try await messages.contacts(
                of: stored,
                matching: InAppMessageEngagementQuery(limit: Self.shownContacts)
            ),
            previews: try await messages.previews(of: stored),
            phonesAddress: site.settings.phonesAddress,
            context: context
        )
        return try page("in-app-detail", content, title: stored.name, context)
    }

    private func users(_ stored: InAppMessageDefinition, _ context: ConsoleContext) async throws
        -> Response
    {
        let query = InAppUsersQuery(fields: context.query)
        let content = InAppUsersPage(
            try await messages.contacts(of: stored, matching: query.stored),
            of: stored,
            query: query,
            context: context
        )
        return try page("in-app-users", content, title: context.words("in_app.users"), context)
    }

    /// A form, with the name of the selected segment.
    private func written(_ fields: FormFields, _ context: ConsoleContext) async throws -> InAppForm
    {
        var form = InAppForm(fields: fields)
        form.push = try await site.withSegmentName(form.push, context)
        return form
    }

    private func save(_ context: ConsoleContext) async throws -> Response {
        let form = try await written(context.form, context)
        let kept = try await desk.keep(context)
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.inAppMessage(outcome).path)
        }
        let known = try await site.inAppMessage(kept.subject, context)
        do {
            let stored = try await content(of: form, changing: known, context)
            let origin = desk.origin(of: kept, context.form)
            try await ConsoleRenderer.namingInApp(context) {
                if known == nil {
                    try await messages.create(stored, from: origin, by: context.actor)
                } else {
                    _ = try await messages.update(stored, from: origin, by: context.actor)
                }
            }
            let id = stored.message.id
            // The message is saved; a review must follow before apps show it.
            return HTMLResponse.redirect(
                to: context.form["step"] == InAppMessageDefinition.Step.activate.rawValue
                    ? ConsolePath.activateInApp(id).path
                    : FlashMessage.inAppSaved.address(ConsolePath.inAppMessage(id))
            )
        } catch let rejected as FormError {
            return try await site.inAppPage(
                form,
                known: known,
                context,
                frame: desk.frame(kept, context.form, context),
                faults: rejected.faults
            )
        } catch let finished as DraftFinishedError {
            return HTMLResponse.redirect(to: ConsolePath.inAppMessage(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await site.inAppMessage(kept.subject, context)
            return try await site.inAppPage(
                form,
                known: current,
                context,
                frame: desk.frame(kept, version: current?.updatedAt, isConflict: true, context)
            )
        }
    }

    /// The content of a form for an existing or new message.
    ///
    /// - Throws: ``FormError``.
    private func content(
        of form: InAppForm,
        changing known: InAppMessageDefinition?,
        _ context: ConsoleContext
    ) async throws -> InAppMessageDefinition {
        var shown: InAppForm?
        if let known { shown = try await site.inAppForm(known, context) }
        var stored = try form.checked(
            changing: known ?? messages.blank(in: context.workspace),
            shownAs: shown,
            context
        )
        let choices = site.services.choices
        if let known,
            form.push.audience.stillSays(try await choices.choice(of: known.audience))
        {
            return stored
        }
        stored.audience = try await ConsoleRenderer.namingInApp(context) {
            try await choices.query(form.push.audience.choice, in: context.workspace)
        }
        return stored
    }

    private func take(
        _ step: InAppMessageDefinition.Step,
        with stored: InAppMessageDefinition,
        _ context: ConsoleContext
    ) async throws -> Response {
        let path = ConsolePath.inAppMessage(stored.message.id)
        do {
            let isDone = try await ConsoleRenderer.namingInApp(context) {
                try await messages.take(step, with: stored, by: context.actor)
            }
            return HTMLResponse.redirect(to: (isDone ? step.notice : .inAppMoved).address(path))
        } catch let rejected as FormError {
            return try await site.inAppPage(
                site.inAppForm(stored, context),
                known: stored,
                context,
                faults: rejected.faults
            )
        }
    }
}
