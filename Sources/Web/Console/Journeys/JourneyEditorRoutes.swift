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
            use: gate.member(.marketer) { context, _ in
                try site.page(
                    "journey-new",
                    JourneyNewPage(context),
                    title: context.words("journeys.new"),
                    place: .journeys,
                    context: context
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.newJourney.path),
            use: gate.member(.marketer) { context, _ in
                guard let template = JourneyTemplate(rawValue: context.form["template"]) else {
                    return HTMLResponse.redirect(to: ConsolePath.newJourney.path)
                }
                let definition = try await template.definition(site, context)
                let draft = try await desk.begin(definition, context)
                return HTMLResponse.redirect(
                    to: ConsolePath.draft(.journey, draft.id.uuidString).path
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.editJourney(":journey").path),
            use: gate.member(.marketer) { context, parameters in
                let journey = try await site.journey(parameters.get("journey"), context)
                let draft: FormDraft
                if let open = try await openDraft(of: journey, context) {
                    draft = open
                } else {
                    draft = try await desk.begin(journey.draft, of: journey, context)
                }
                return HTMLResponse.redirect(
                    to: ConsolePath.draft(.journey, draft.id.uuidString).path
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.duplicateJourney(":journey").path),
            use: gate.member(.marketer) { context, parameters in
                let journey = try await site.journey(parameters.get("journey"), context)
                let name = context.words(
                    "campaigns.copy_of",
                    ["name": String(journey.draft.name.prefix(200))]
                )
                let copy = try await site.services.journeys.duplicate(
                    journey,
                    name: name,
                    by: context.actor
                )
                return HTMLResponse.redirect(
                    to: FlashMessage.journeySaved.address(.journey("\(copy.id)"))
                )
            }
        )
    }

    /// The member's own draft of a journey that has not changed since.
    private func openDraft(of journey: Journey, _ context: ConsoleContext) async throws
        -> FormDraft?
    {
        try await site.services.drafts.drafts(.journey, in: context.workspace).first { draft in
            draft.subject == "\(journey.id)" && draft.author == context.member.name
                && draft.written["version"] == String(journey.updatedAt.milliseconds)
        }
    }

    // MARK: The flow

    private func addFlow<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.draft(.journey, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in
                    let page = JourneyEditorPage(
                        work.plan,
                        work.draft,
                        frame: try await desk.frame(work, context),
                        names: try await JourneyNames(
                            work.plan.definition,
                            site.services,
                            context
                        ),
                        problems: try await desk.problems(of: work.plan, context),
                        context: context
                    )
                    return try site.page(
                        "journey-editor",
                        page,
                        title: page.name,
                        place: .journeys,
                        context: context
                    )
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyChange(":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in try await change(work, context) }
            }
        )
        router.get(
            RouterPath(ConsolePath.journeyAdd(":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in
                    try await choice(at: context.query["at"], work, context)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyAdd(":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in try await add(work, context) }
            }
        )
    }

    func open(
        _ context: ConsoleContext,
        _ parameters: Parameters,
        _ show: (JourneyDesk.Work) async throws -> Response
    ) async throws -> Response {
        let work = try await desk.work(context, parameters)
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
        _ context: ConsoleContext
    ) async throws -> Response {
        let page = JourneyAddPage(
            work.plan.definition,
            at: JourneySlot.slots(named: names),
            frame: try await desk.frame(work, context),
            fault: fault,
            context: context
        )
        guard let page else { throw PageError.notFound }
        return try site.page(
            "journey-add",
            page,
            title: context.words("journeys.add_step"),
            place: .journeys,
            context: context,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }

    /// Moves, copies or removes a step, or takes a change back.
    private func change(_ work: JourneyDesk.Work, _ context: ConsoleContext) async throws
        -> Response
    {
        var plan = work.plan
        var anchor = UUID(uuidString: context.form["step"]).map { JourneyStepID($0) }
        let step = anchor
        let items = JourneyLayout(plan.definition).items
        switch (context.form["change"], step) {
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
            let slots = JourneySlot.slots(named: context.form["place"])
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
        let kept = try await desk.keep(plan, context)
        let path = ConsolePath.draft(.journey, kept.id.uuidString)
        return desk.redirect(to: path, kept, anchor: anchor, context)
    }

    private func add(_ work: JourneyDesk.Work, _ context: ConsoleContext) async throws -> Response {
        var plan = work.plan
        let slots = JourneySlot.slots(named: context.form["at"])
        guard let choice = JourneyStepChoice(rawValue: context.form["kind"]), !slots.isEmpty,
            slots.allSatisfy(plan.definition.has)
        else { throw PageError.notFound }
        let id = JourneyStepID(UUID())
        guard plan.definition.steps.count < JourneyValidator.stepLimit else {
            let fault = context.words(
                "journeys.fault_steps",
                ["count": context.words.number(JourneyValidator.stepLimit)]
            )
            return try await self.choice(at: context.form["at"], work, fault: fault, context)
        }
        plan.change {
            JourneyEdit.insert(choice, id, at: slots, into: &$0, words: context.words)
        }
        let kept = try await desk.keep(plan, context)
        let draft = kept.id.uuidString
        let hasForm = choice != .exit && choice != .quietHours
        return desk.redirect(
            to: hasForm ? .journeyStep(draft, id.description) : .draft(.journey, draft),
            kept,
            anchor: hasForm ? nil : id,
            context
        )
    }
}
