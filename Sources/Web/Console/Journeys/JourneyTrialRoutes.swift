import Campaigns
import Foundation
import Hummingbird
import Journeys
import Model
import NoroshiWire
import Sends
import Users
import WebPages

/// A test run of a draft for one person, with a clock that is moved; it changes nothing, so that its
/// address says it all.
struct JourneyTrialRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let desk: JourneyDesk

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        desk = JourneyDesk(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.journeyTrial(":id").path),
            use: gate.member(.marketer) { context, parameters in
                let work = try await desk.work(context, parameters)
                if let outcome = work.draft.outcome {
                    return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
                }
                return try await trial(work, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.journeyTrial(":id").path),
            use: gate.member(.marketer) { context, parameters in
                let work = try await desk.work(context, parameters)
                if let outcome = work.draft.outcome {
                    return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
                }
                return try await send(work, context)
            }
        )
    }

    /// Sends what the phone of a test run shows at the moment of its clock to the person's devices,
    /// the earliest first.
    private func send(_ work: JourneyDesk.Work, _ context: ConsoleContext) async throws -> Response
    {
        let form = JourneyTrialForm(context)
        let definition = work.plan.definition
        var faults: [FormFieldError] = []
        var sent = 0
        do {
            if let run = try await run(form, work, context) {
                for step in run.pushes(until: form.clock) {
                    guard
                        let push = definition.push(
                            of: step,
                            for: run.profile,
                            with: run.properties
                        )
                    else { continue }
                    _ = try await ConsoleRenderer.naming(context) {
                        try await site.services.composer.test(
                            push,
                            by: context.actor,
                            detail: context.words(
                                "journeys.trial_detail",
                                ["name": definition.name, "user": form.user]
                            )
                        )
                    }
                    sent += 1
                }
            }
        } catch let rejected as FormError {
            faults = rejected.faults
        } catch let problem as AudienceError {
            faults = [FormFieldError(field: "", text: context.words(problem.reason))]
        }
        guard faults.isEmpty else { return try await trial(work, context, faults: faults) }
        let fields = context.query.setting(
            "notice",
            to: (sent > 0 ? FlashMessage.journeyTried : .journeyNothingTried).rawValue
        )
        return HTMLResponse.redirect(
            to: ConsolePath.journeyTrial(work.draft.id.uuidString).query(fields)
        )
    }

    private func trial(
        _ work: JourneyDesk.Work,
        _ context: ConsoleContext,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        let form = JourneyTrialForm(context)
        let definition = work.plan.definition
        var faults = faults
        var run: JourneyTrialRun?
        if !form.user.isEmpty, faults.isEmpty {
            do {
                run = try await self.run(form, work, context)
            } catch let rejected as FormError {
                faults = rejected.faults
            } catch let problem as AudienceError {
                faults = [FormFieldError(field: "", text: context.words(problem.reason))]
            }
        }
        let page = JourneyTrialPage(
            form,
            run: run,
            definition: definition,
            names: try await JourneyNames(definition, site.services, context),
            draft: work.draft,
            eventNames: try await site.eventNames(context),
            faults: faults,
            context: context
        )
        return try site.page(
            "journey-trial",
            page,
            title: context.words("journeys.trial"),
            place: .journeys,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// - Throws: ``FormError``, or `AudienceError` if a segment cannot be evaluated.
    private func run(
        _ form: JourneyTrialForm,
        _ work: JourneyDesk.Work,
        _ context: ConsoleContext
    ) async throws -> JourneyTrialRun? {
        var check = FormValidator(context: context)
        let found = try await site.services.users.user(
            identifiedBy: form.user,
            in: context.workspace
        )
        if found == nil { check.fault("user", "journeys.trial_no_user") }
        guard let start = DateTimeLocalFormat.date(form.start, in: context.zone) else {
            check.fault("start", "fault.date")
            throw FormError(faults: check.faults)
        }
        let events = form.events(from: start, &check)
        guard check.faults.isEmpty, let profile = found?.summary.profile else {
            throw FormError(faults: check.faults)
        }
        let subject = try await desk.subject(work.draft, context)
        let properties = form.properties
        let isByAPI = work.plan.definition.entry == .api
        let request = JourneyRehearsal.Request(
            journey: subject?.apiID,
            profile: profile.id,
            properties: isByAPI
                ? MessageProperties(trigger: properties)
                : MessageProperties(event: properties),
            start: start,
            events: events,
            end: start.addingTimeInterval(JourneyTrialForm.longest)
        )
        let rehearsal = try await site.services.journeys.rehearse(
            work.plan.definition,
            with: request,
            in: context.workspace
        )
        guard let rehearsal else { return nil }
        let user = profile.externalID ?? ""
        var banners: [JourneyTrialRun.Key: Banner] = [:]
        for effect in rehearsal.moments.flatMap(\.effects) where effect.kind == .push {
            let key = JourneyTrialRun.Key(step: effect.step, passage: effect.passage)
            guard
                let push = work.plan.definition.push(
                    of: effect.step,
                    for: profile.id,
                    with: request.properties
                )
            else { continue }
            banners[key] = try await banner(of: push, named: user, request.properties, context)
        }
        return JourneyTrialRun(
            rehearsal: rehearsal,
            banners: banners,
            start: start,
            profile: profile.id,
            properties: request.properties
        )
    }

    /// What a push would show to a person.
    private func banner(
        of push: SendContent,
        named user: String,
        _ properties: MessageProperties,
        _ context: ConsoleContext
    ) async throws -> Banner {
        let preview = try await site.services.review.preview(
            of: push,
            for: user,
            with: properties,
            in: context.workspace
        )
        return Banner(
            title: preview.message.title.isEmpty
                ? context.words("push.app_name") : preview.message.title,
            subtitle: preview.message.subtitle,
            message: preview.message.body
        )
    }
}

/// A rehearsal with what its pushes would show.
struct JourneyTrialRun {
    struct Key: Hashable {
        let step: JourneyStepID
        let passage: Int
    }

    let rehearsal: JourneyRehearsal
    let banners: [Key: Banner]
    let start: Date
    let profile: ProfileID
    let properties: MessageProperties

    /// The push steps that are taken until the clock was moved this far, the earliest first.
    func pushes(until clock: TimeInterval) -> [JourneyStepID] {
        let moment = start.addingTimeInterval(clock)
        return rehearsal.moments.filter { $0.at <= moment }.flatMap(\.effects)
            .filter { $0.kind == .push }.map(\.step)
    }
}
