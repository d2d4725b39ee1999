import Foundation
import Hummingbird
import Model
import Ports
import WebPages

/// The in-app messages: list, one message with what came of it, and the page to write it.
struct InAppRoutes: Sendable {
    /// How many days the chart of a message shows.
    private static let chartDays = 30
    private static let shownContacts = 8

    private let site: ConsoleSite
    private let gate: Gate
    private let messages: any InAppPages
    private let desk: DraftDesk

    init(site: ConsoleSite, messages: any InAppPages) {
        self.site = site
        self.messages = messages
        gate = Gate(site: site)
        desk = DraftDesk(site: site, kind: .inApp)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
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
        get(.draft(.inApp, ":id"), .marketer) { visit, parameters in
            try await desk.open(visit, parameters) { draft, fields in
                let known = try await messages.sketch(id: draft.subject, for: visit.member)?.row
                return try await editor(
                    written(fields, visit),
                    known: known,
                    visit,
                    frame: desk.frame(draft, fields, visit)
                )
            }
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
            let known = try await sketch(visit, parameters)
            guard step != .activate else {
                return PageAnswer.redirect(to: ConsolePath.activateInApp(known.row.id).path)
            }
            return try await perform(step, on: known, visit)
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

    func sketch(_ visit: Visit, _ parameters: Parameters) async throws -> InAppSketch {
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
            InAppListPage(
                list,
                query: query,
                drafts: try await desk.list(visit),
                visit: visit
            ),
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

    /// The form of a stored message that cannot be used as it is.
    func editor(
        _ sketch: InAppSketch,
        faults: [FormFault],
        _ visit: Visit
    ) async throws -> Response {
        try await editor(
            InAppForm(sketch.draft, visit: visit),
            known: sketch.row,
            visit,
            faults: faults
        )
    }

    private func editor(
        _ form: InAppForm,
        known: InAppRow?,
        _ visit: Visit,
        frame: DraftFrame? = nil,
        faults: [FormFault] = []
    ) async throws -> Response {
        var frame = frame
        if frame == nil {
            frame = try await desk.frame(
                desk.new(subject: known?.id ?? "", visit),
                version: known?.changedAt,
                visit
            )
        }
        var composer = try await site.composer(form.push, faults: faults, visit)
        composer.everyone = visit.words("in_app.everyone")
        composer.everyoneHelp = visit.words("in_app.everyone_help")
        var isExperimentRunning = false
        if let known, [.active, .paused].contains(known.phase) {
            let sketch = try await messages.sketch(id: known.id, for: visit.member)
            isExperimentRunning = sketch?.draft.isExperiment ?? false
        }
        let content = InAppPage(
            form,
            known: known,
            isExperimentRunning: isExperimentRunning,
            preview: try await messages.preview(
                form.asTyped(visit),
                variant: 0,
                for: visit.member
            ),
            composer: composer,
            draft: frame,
            faults: faults,
            visit: visit
        )
        return try page(
            "in-app",
            content,
            title: content.heading,
            visit,
            status: !faults.isEmpty
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    /// A form with the name of the chosen segment.
    private func written(_ fields: FormFields, _ visit: Visit) async throws -> InAppForm {
        var form = InAppForm(fields: fields)
        form.push = try await site.withSegmentName(form.push, visit)
        return form
    }

    private func save(_ visit: Visit) async throws -> Response {
        let form = try await written(visit.form, visit)
        let kept = try await desk.keep(visit)
        if let outcome = kept.outcome {
            return PageAnswer.redirect(to: ConsolePath.inAppMessage(outcome).path)
        }
        var known: InAppRow?
        if !kept.subject.isEmpty {
            known = try await messages.sketch(id: kept.subject, for: visit.member)?.row
        }
        do {
            let draft = try form.checked(visit)
            let id = try await messages.save(
                draft,
                id: known?.id,
                from: desk.origin(of: kept, visit.form),
                for: visit.member
            )
            try await site.record(.inAppSaved, id, detail: draft.name, visit)
            let path = ConsolePath.inAppMessage(id)
            // It is kept; before apps show it, somebody looks at it.
            return PageAnswer.redirect(
                to: visit.form["step"] == InAppStep.activate.rawValue
                    ? ConsolePath.activateInApp(id).path : Notice.inAppSaved.address(path)
            )
        } catch let rejected as InAppRejected {
            return try await editor(
                form,
                known: known,
                visit,
                frame: desk.frame(kept, visit.form, visit),
                faults: rejected.faults
            )
        } catch let finished as DraftFinished {
            return PageAnswer.redirect(to: ConsolePath.inAppMessage(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await messages.sketch(id: kept.subject, for: visit.member)?.row
            return try await editor(
                form,
                known: current,
                visit,
                frame: desk.frame(kept, version: current?.changedAt, isConflict: true, visit)
            )
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
            return try await editor(sketch, faults: rejected.faults, visit)
        }
        try await site.record(step.action, id, detail: sketch.row.name, visit)
        return PageAnswer.redirect(to: step.notice.address(path))
    }
}
