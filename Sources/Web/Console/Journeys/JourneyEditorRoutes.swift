import Drafts
import Foundation
import Hummingbird
import Journeys
import Model
import WebPages

/// The editor of a journey: its flow, its rules, and a form for each step.
struct JourneyEditorRoutes: Sendable {
    let site: ConsoleRenderer
    let gate: ConsoleAuthenticator
    let desk: JourneyDesk

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        desk = JourneyDesk(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        addBeginning(to: router)
        addFlow(to: router)
        addForms(to: router)
        desk.drafts.addDiscarding(to: router)
        JourneyReviewRoutes(site: site).add(to: router)
        JourneyTrialRoutes(site: site).add(to: router)
    }

    // MARK: Beginning

    private func addBeginning<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newJourney.path),
            use: gate.member(.marketer) { visit, _ in
                try site.page(
                    "journey-new",
                    JourneyNewPage(visit),
                    title: visit.words("journeys.new"),
                    place: .journeys,
                    visit: visit
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.newJourney.path),
            use: gate.member(.marketer) { visit, _ in
                guard let template = JourneyTemplate(rawValue: visit.form["template"]) else {
                    return HTMLResponse.redirect(to: ConsolePath.newJourney.path)
                }
                let definition = try await template.definition(site, visit)
                let draft = try await desk.begin(definition, visit)
                return HTMLResponse.redirect(
                    to: ConsolePath.draft(.journey, draft.id.uuidString).path
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.editJourney(":journey").path),
            use: gate.member(.marketer) { visit, parameters in
                let journey = try await site.journey(parameters.get("journey"), visit)
                let draft: FormDraft
                if let open = try await openDraft(of: journey, visit) {
                    draft = open
                } else {
                    draft = try await desk.begin(journey.draft, of: journey, visit)
                }
                return HTMLResponse.redirect(
                    to: ConsolePath.draft(.journey, draft.id.uuidString).path
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.duplicateJourney(":journey").path),
            use: gate.member(.marketer) { visit, parameters in
                let journey = try await site.journey(parameters.get("journey"), visit)
                let name = visit.words(
                    "campaigns.copy_of",
                    ["name": String(journey.draft.name.prefix(200))]
                )
                let copy = try await site.services.journeys.duplicate(
                    journey,
                    name: name,
                    by: visit.actor
                )
                return HTMLResponse.redirect(
                    to: FlashMessage.journeySaved.address(.journey("\(copy.id)"))
                )
            }
        )
    }

    /// The member's own draft of a journey that has not changed since.
    private func openDraft(of journey: Journey, _ visit: Visit) async throws -> FormDraft? {
        try await site.services.drafts.drafts(.journey, in: visit.workspace).first { draft in
            draft.subject == "\(journey.id)" && draft.author == visit.member.name
                && draft.written["version"] == String(journey.updatedAt.milliseconds)
        }
    }

    // MARK: The flow

    private func addFlow<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.draft(.journey, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { work in
                    let page = JourneyEditorPage(
                        work.plan,
                        work.draft,
                        frame: try await desk.frame(work, visit),
                        names: try await JourneyNames(
                            work.plan.definition,
                            site.services,
                            visit
                        ),
                        problems: try await desk.problems(of: work.plan, visit),
                        visit: visit
                    )
                    return try site.page(
                        "journey-editor",
                        page,
                        title: page.name,
                        place: .journeys,
                        visit: visit
                    )
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyChange(":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { work in try await change(work, visit) }
            }
        )
        router.get(
            RouterPath(ConsolePath.journeyAdd(":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { work in
                    try await choice(at: visit.query["at"], work, visit)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyAdd(":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { work in try await add(work, visit) }
            }
        )
    }

    func open(
        _ visit: Visit,
        _ parameters: Parameters,
        _ show: (JourneyDesk.Work) async throws -> Response
    ) async throws -> Response {
        let work = try await desk.work(visit, parameters)
        if let outcome = work.draft.outcome {
            return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
        }
        return try await show(work)
    }

    /// The choice of what is put in at places.
    private func choice(
        at names: String,
        _ work: JourneyDesk.Work,
        fault: String? = nil,
        _ visit: Visit
    ) async throws -> Response {
        let page = JourneyAddPage(
            work.plan.definition,
            at: JourneySlot.slots(named: names),
            frame: try await desk.frame(work, visit),
            fault: fault,
            visit: visit
        )
        guard let page else { throw PageProblem.notFound }
        return try site.page(
            "journey-add",
            page,
            title: visit.words("journeys.add_step"),
            place: .journeys,
            visit: visit,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }

    /// Moves, copies or removes a step, or takes a change back.
    private func change(_ work: JourneyDesk.Work, _ visit: Visit) async throws -> Response {
        var plan = work.plan
        var anchor = UUID(uuidString: visit.form["step"]).map { JourneyStepID($0) }
        let step = anchor
        let items = JourneyLayout(plan.definition).items
        switch (visit.form["change"], step) {
        case ("undo", _): plan.undo()
        case ("redo", _): plan.redo()
        case ("up", let id?):
            if let place = JourneyEdit.upPlace(of: id, in: plan.definition, items) {
                plan.change { JourneyEdit.move(id, to: place, in: &$0) }
            }
        case ("down", let id?):
            if let place = JourneyEdit.downPlace(of: id, in: plan.definition, items) {
                plan.change { JourneyEdit.move(id, to: place, in: &$0) }
            }
        case ("move", let id?):
            let slots = JourneySlot.slots(named: visit.form["place"])
            if slots.allSatisfy(plan.definition.has) {
                plan.change { JourneyEdit.move(id, to: slots, in: &$0) }
            }
        case ("copy", let id?):
            let copy = JourneyStepID(UUID())
            plan.change { JourneyEdit.copy(id, copy, in: &$0) }
            if plan.definition.step(copy) != nil { anchor = copy }
        case ("remove", let id?):
            plan.change { JourneyEdit.remove(id, from: &$0) }
            anchor = nil
        default: break
        }
        let kept = try await desk.keep(plan, visit)
        let path = ConsolePath.draft(.journey, kept.id.uuidString)
        return desk.redirect(to: path, kept, anchor: anchor, visit)
    }

    private func add(_ work: JourneyDesk.Work, _ visit: Visit) async throws -> Response {
        var plan = work.plan
        let slots = JourneySlot.slots(named: visit.form["at"])
        guard let choice = JourneyStepChoice(rawValue: visit.form["kind"]), !slots.isEmpty,
            slots.allSatisfy(plan.definition.has)
        else { throw PageProblem.notFound }
        let id = JourneyStepID(UUID())
        guard plan.definition.steps.count < JourneyValidator.stepLimit else {
            let fault = visit.words(
                "journeys.fault_steps",
                ["count": visit.words.number(JourneyValidator.stepLimit)]
            )
            return try await self.choice(at: visit.form["at"], work, fault: fault, visit)
        }
        plan.change {
            JourneyEdit.insert(choice, id, at: slots, into: &$0, words: visit.words)
        }
        let kept = try await desk.keep(plan, visit)
        let draft = kept.id.uuidString
        let hasForm = choice != .exit && choice != .quietHours
        return desk.redirect(
            to: hasForm ? .journeyStep(draft, id.description) : .draft(.journey, draft),
            kept,
            anchor: hasForm ? nil : id,
            visit
        )
    }
}
