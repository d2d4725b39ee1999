import Foundation
import Hummingbird
import Model
import WebPages

/// The in-app messages: list, one message with what came of it, and the page to write it.
struct InAppRoutes: Sendable {
    /// How many days the chart of a message shows.
    private static let chartDays = 30
    private static let shownContacts = 8

    private let site: ConsoleSite
    private let gate: Gate
    private let messages: any InAppPages

    init(site: ConsoleSite, messages: any InAppPages) {
        self.site = site
        self.messages = messages
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.inApp, .viewer) { visit, _ in try await list(visit) }
        get(.inAppMessage(":message"), .viewer) { visit, parameters in
            try await detail(sketch(visit, parameters), visit)
        }
        get(.inAppUsers(":message"), .viewer) { visit, parameters in
            try await users(sketch(visit, parameters), visit)
        }
        get(.newInApp, .marketer) { visit, _ in
            try await editor(InAppForm(fields: visit.query), known: nil, visit)
        }
        get(.editInApp(":message"), .marketer) { visit, parameters in
            let known = try await sketch(visit, parameters)
            return try await editor(InAppForm(known.draft, visit: visit), known: known.row, visit)
        }
        get(.duplicateInApp(":message"), .marketer) { visit, parameters in
            var draft = try await sketch(visit, parameters).draft
            draft.name = visit.words("campaigns.copy_of", ["name": draft.name])
            return try await editor(InAppForm(draft, visit: visit), known: nil, visit)
        }
        post(.saveInApp, .marketer) { visit, _ in try await save(visit) }
        post(.inAppStep(":message", ":step"), .marketer) { visit, parameters in
            guard let step = parameters.get("step").flatMap(InAppStep.init) else {
                throw PageProblem.notFound
            }
            return try await perform(step, on: sketch(visit, parameters), visit)
        }
        addAnswers(get, post)
    }

    /// What the pages' script and frames ask for.
    private func addAnswers(_ get: Gate.Add, _ post: Gate.Add) {
        let answers = InAppAnswers(site: site, messages: messages)
        post(.previewInApp, .marketer) { visit, _ in try await answers.preview(visit) }
        post(.inAppReach, .marketer) { visit, _ in try await answers.reach(visit) }
        post(.inAppPage, .marketer) { visit, _ in
            PageAnswer.sandbox(visit.form["html"])
        }
        get(.inAppHTML(":message"), .viewer) { visit, parameters in
            let known = try await sketch(visit, parameters)
            let preview = try await messages.preview(
                known.draft,
                variant: Int(visit.query["variant"]) ?? 0,
                for: visit.member
            )
            return PageAnswer.sandbox(preview.content.text)
        }
    }

    private func sketch(_ visit: Visit, _ parameters: Parameters) async throws -> InAppSketch {
        guard let id = parameters.get("message"),
            let sketch = try await messages.sketch(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return sketch
    }

    private func page(
        _ template: String,
        _ content: some Any,
        title: String,
        _ visit: Visit,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try site.page(
            template,
            content,
            title: title,
            place: .inApp,
            visit: visit,
            status: status
        )
    }

    private func list(_ visit: Visit) async throws -> Response {
        let query = InAppListQuery(fields: visit.query)
        let list = try await messages.messages(query, for: visit.member)
        return try page(
            "in-app-list",
            InAppListPage(list, query: query, visit: visit),
            title: visit.words("nav.in_app"),
            visit
        )
    }

    private func detail(_ sketch: InAppSketch, _ visit: Visit) async throws -> Response {
        var query = InAppContactQuery()
        query.limit = Self.shownContacts
        var previews: [InAppPreview] = []
        for variant in sketch.draft.contents.indices {
            previews.append(
                try await messages.preview(sketch.draft, variant: variant, for: visit.member)
            )
        }
        let content = InAppDetailPage(
            sketch,
            report: try await messages.report(
                of: sketch.row.id,
                days: Self.chartDays,
                for: visit.member
            ),
            contacts: try await messages.contacts(of: sketch.row.id, query, for: visit.member),
            previews: previews,
            phonesAddress: site.settings.phonesAddress,
            visit: visit
        )
        return try page("in-app-detail", content, title: sketch.row.name, visit)
    }

    private func users(_ sketch: InAppSketch, _ visit: Visit) async throws -> Response {
        var query = InAppContactQuery(fields: visit.query)
        let limit = query.limit
        query.limit += 1
        let contacts = try await messages.contacts(of: sketch.row.id, query, for: visit.member)
        let content = InAppUsersPage(
            contacts,
            of: sketch,
            query: query,
            limit: limit,
            visit: visit
        )
        return try page("in-app-users", content, title: visit.words("in_app.users"), visit)
    }

    private func editor(
        _ form: InAppForm,
        known: InAppRow?,
        _ visit: Visit,
        faults: [FormFault] = []
    ) async throws -> Response {
        var composer = try await site.composer(form.push, faults: faults, visit)
        composer.everyone = visit.words("in_app.everyone")
        composer.everyoneHelp = visit.words("in_app.everyone_help")
        let content = InAppPage(
            form,
            known: known,
            preview: try await messages.preview(
                form.asTyped(visit),
                variant: 0,
                for: visit.member
            ),
            composer: composer,
            faults: faults,
            visit: visit
        )
        return try page(
            "in-app",
            content,
            title: content.heading,
            visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// The posted form with the name of the chosen segment.
    private func posted(_ visit: Visit) async throws -> InAppForm {
        var form = InAppForm(fields: visit.form)
        form.push = try await site.withSegmentName(form.push, visit)
        return form
    }

    private func save(_ visit: Visit) async throws -> Response {
        let form = try await posted(visit)
        var known: InAppRow?
        if !visit.form["message"].isEmpty {
            known = try await messages.sketch(id: visit.form["message"], for: visit.member)?.row
        }
        do {
            let draft = try form.checked(visit)
            let id = try await messages.save(draft, id: known?.id, for: visit.member)
            try await site.record(.inAppSaved, id, detail: draft.name, visit)
            let path = ConsolePath.inAppMessage(id)
            guard visit.form["step"] == InAppStep.activate.rawValue else {
                return PageAnswer.redirect(to: Notice.inAppSaved.address(path))
            }
            guard let saved = try await messages.sketch(id: id, for: visit.member) else {
                throw PageProblem.notFound
            }
            return try await perform(.activate, on: saved, visit)
        } catch let rejected as InAppRejected {
            return try await editor(form, known: known, visit, faults: rejected.faults)
        }
    }

    private func perform(
        _ step: InAppStep,
        on sketch: InAppSketch,
        _ visit: Visit
    ) async throws -> Response {
        let id = sketch.row.id
        let path = ConsolePath.inAppMessage(id)
        do {
            guard try await messages.perform(step, onMessage: id, for: visit.member) else {
                return PageAnswer.redirect(to: Notice.inAppMoved.address(path))
            }
        } catch let rejected as InAppRejected {
            let form = InAppForm(sketch.draft, visit: visit)
            return try await editor(form, known: sketch.row, visit, faults: rejected.faults)
        }
        try await site.record(step.action, id, detail: sketch.row.name, visit)
        return PageAnswer.redirect(to: step.notice.address(path))
    }
}
