import Foundation
import Hummingbird
import Model
import WebPages

/// The forms of a journey's rules and steps, and what is kept of them while they are filled in.
extension JourneyEditorRoutes {
    func addForms<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.journeyStep(":id", ":step").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in
                    let step = try step(work, parameters)
                    let choice = JourneyStepChoice(step.kind)
                    let left = work.plan.openSteps[step.id]
                    let form: JourneyStepForm
                    if let left {
                        form = JourneyStepForm(fields: left, choice)
                    } else {
                        form = await JourneyStepForm(step, in: work.plan.definition, site)
                    }
                    return try await page(form, step, work, isUnfinished: left != nil, context)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyStep(":id", ":step").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in
                    try await saveStep(try step(work, parameters), work, context)
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.journeyRules(":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in
                    let form: JourneyRulesForm
                    if let left = work.plan.openRules {
                        form = JourneyRulesForm(fields: left)
                    } else {
                        form = await JourneyRulesForm(work.plan.definition, site, context)
                    }
                    return try await page(form, work, context)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyRules(":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { work in try await saveRules(work, context) }
            }
        )
        router.post(
            RouterPath(ConsolePath.draft(.journey, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await autosave(desk.work(context, parameters), context)
            }
        )
    }

    private func step(
        _ work: JourneyDesk.Work,
        _ parameters: Parameters
    ) throws -> JourneyStep {
        guard let uuid = parameters.get("step").flatMap(UUID.init(uuidString:)),
            let step = work.plan.definition.step(JourneyStepID(uuid))
        else { throw PageError.notFound }
        return step
    }

    private func page(
        _ form: JourneyStepForm,
        _ step: JourneyStep,
        _ work: JourneyDesk.Work,
        isUnfinished: Bool = false,
        faults: [FormFieldError] = [],
        _ context: ConsoleContext
    ) async throws -> Response {
        let page = try await site.journeyStepPage(
            form,
            ConsoleRenderer.JourneyStepContext(
                step: step,
                definition: work.plan.definition,
                frame: try await desk.frame(work, context),
                isUnfinished: isUnfinished
            ),
            faults: faults,
            context
        )
        return try site.page(
            "journey-step",
            page,
            title: page.heading,
            place: .journeys,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    private func saveStep(
        _ known: JourneyStep,
        _ work: JourneyDesk.Work,
        _ context: ConsoleContext
    ) async throws -> Response {
        var plan = work.plan
        let written = DraftDesk.written(in: context.form)
        let form = JourneyStepForm(fields: written, JourneyStepChoice(known.kind))
        do {
            let layout = JourneyLayout(plan.definition)
            let step = try await form.step(
                changing: known,
                in: plan.definition,
                meeting: layout.meetings[known.id] ?? known.next,
                site,
                context
            )
            plan.openSteps[known.id] = nil
            plan.change { definition in
                guard let index = definition.steps.firstIndex(where: { $0.id == step.id }) else {
                    return
                }
                definition.steps[index] = step
            }
        } catch let rejected as FormError {
            plan.openSteps[known.id] = written
            let kept = try await desk.keep(plan, context)
            return try await page(
                form,
                known,
                JourneyDesk.Work(draft: kept, plan: plan),
                faults: rejected.faults,
                context
            )
        }
        let kept = try await desk.keep(plan, context)
        let path = ConsolePath.draft(.journey, kept.id.uuidString)
        return desk.redirect(to: path, kept, anchor: known.id, context)
    }

    private func page(
        _ form: JourneyRulesForm,
        _ work: JourneyDesk.Work,
        faults: [FormFieldError] = [],
        _ context: ConsoleContext
    ) async throws -> Response {
        try site.page(
            "journey-rules",
            JourneyRulesPage(
                form,
                frame: try await desk.frame(work, context),
                try await site.journeyVocabulary(context),
                isUnfinished: work.plan.openRules != nil && faults.isEmpty,
                faults: faults,
                context: context
            ),
            title: context.words("journeys.rules"),
            place: .journeys,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    private func saveRules(_ work: JourneyDesk.Work, _ context: ConsoleContext) async throws
        -> Response
    {
        var plan = work.plan
        let written = DraftDesk.written(in: context.form)
        let form = JourneyRulesForm(fields: written)
        do {
            let definition = try await form.apply(to: plan.definition, site, context)
            plan.openRules = nil
            plan.change { $0 = definition }
        } catch let rejected as FormError {
            plan.openRules = written
            let kept = try await desk.keep(plan, context)
            return try await page(
                form,
                JourneyDesk.Work(draft: kept, plan: plan),
                faults: rejected.faults,
                context
            )
        }
        let kept = try await desk.keep(plan, context)
        return desk.redirect(to: .draft(.journey, kept.id.uuidString), kept, context)
    }

    /// Keeps what is written in a form, which may be wrong, until the form is done.
    private func autosave(_ work: JourneyDesk.Work, _ context: ConsoleContext) async throws
        -> Response
    {
        guard work.draft.outcome == nil else {
            return try desk.drafts.answer(
                work.draft,
                asked: work.draft.id,
                page: .draft(.journey, work.draft.id.uuidString),
                context
            )
        }
        var plan = work.plan
        let written = DraftDesk.written(in: context.form)
        var page: (String) -> ConsolePath = { .draft(.journey, $0) }
        if let uuid = UUID(uuidString: context.form["formOf"]) {
            let id = JourneyStepID(uuid)
            guard plan.definition.step(id) != nil else { throw PageError.notFound }
            plan.openSteps[id] = written
            page = { .journeyStep($0, id.description) }
        } else if context.form["formOf"] == "rules" {
            plan.openRules = written
            page = { .journeyRules($0) }
        }
        let kept = try await desk.keep(plan, context)
        return try desk.drafts.answer(
            kept,
            asked: UUID(uuidString: context.form["draft"]),
            page: page(kept.id.uuidString),
            context
        )
    }
}
