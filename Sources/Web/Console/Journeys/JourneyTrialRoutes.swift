import Foundation
import Hummingbird
import Journeys
import Model
import NoroshiWire
import Scheduling
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
            use: gate.member(.marketer) { visit, parameters in
                let work = try await desk.work(visit, parameters)
                if let outcome = work.draft.outcome {
                    return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
                }
                return try await trial(work, visit)
            }
        )
    }

    private func trial(_ work: JourneyDesk.Work, _ visit: Visit) async throws -> Response {
        let form = JourneyTrialForm(visit)
        let definition = work.plan.definition
        var faults: [FormFault] = []
        var run: JourneyTrialRun?
        if !form.user.isEmpty {
            do {
                run = try await self.run(form, work, visit)
            } catch let rejected as FormRejected {
                faults = rejected.faults
            } catch let problem as AudienceProblem {
                faults = [FormFault(field: "", text: visit.words(problem.reason))]
            }
        }
        let page = JourneyTrialPage(
            form,
            run: run,
            definition: definition,
            names: try await JourneyNames(definition, site.services, visit),
            draft: work.draft,
            eventNames: try await site.eventNames(visit),
            faults: faults,
            visit: visit
        )
        return try site.page(
            "journey-trial",
            page,
            title: visit.words("journeys.trial"),
            place: .journeys,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// - Throws: ``FormRejected``, or `AudienceProblem` if a segment cannot be evaluated.
    private func run(
        _ form: JourneyTrialForm,
        _ work: JourneyDesk.Work,
        _ visit: Visit
    ) async throws -> JourneyTrialRun? {
        var check = FormValidator(visit: visit)
        let found = try await site.services.users.user(
            identifiedBy: form.user,
            in: visit.workspace
        )
        if found == nil { check.fault("user", "journeys.trial_no_user") }
        guard let start = DateTimeLocalFormat.date(form.start, in: visit.zone) else {
            check.fault("start", "fault.date")
            throw FormRejected(faults: check.faults)
        }
        let events = form.events(from: start, &check)
        guard check.faults.isEmpty, let profile = found?.summary.profile else {
            throw FormRejected(faults: check.faults)
        }
        let subject = try await desk.subject(work.draft, visit)
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
            in: visit.workspace
        )
        guard let rehearsal else { return nil }
        let user = profile.externalID ?? ""
        var banners: [JourneyTrialRun.Key: Banner] = [:]
        for effect in rehearsal.moments.flatMap(\.effects) where effect.kind == .push {
            let key = JourneyTrialRun.Key(step: effect.step, passage: effect.passage)
            banners[key] = try await banner(
                of: effect.step,
                in: work.plan.definition,
                for: profile,
                named: user,
                request,
                visit
            )
        }
        return JourneyTrialRun(rehearsal: rehearsal, banners: banners, start: start)
    }

    /// What a push step would show to a person; `nil` for somebody who is left out to compare with.
    private func banner(
        of id: JourneyStepID,
        in definition: JourneyDefinition,
        for profile: Profile,
        named user: String,
        _ request: JourneyRehearsal.Request,
        _ visit: Visit
    ) async throws -> Banner? {
        guard let step = definition.step(id), let content = definition.message(of: step) else {
            return nil
        }
        let group = VariantAssignment(
            campaign: id.uuid,
            controlShare: content.controlShare,
            weights: content.variants.map(\.weight)
        ).group(of: profile.id)
        guard case .variant(let number) = group, content.variants.indices.contains(number) else {
            return nil
        }
        let message = content.variants[number].message.common
        let preview = try await site.services.review.preview(
            of: SendContent(
                message: message.message,
                audience: .profiles([profile.id]),
                options: message.options
            ),
            for: user,
            with: request.properties,
            in: visit.workspace
        )
        return Banner(
            title: preview.message.title.isEmpty
                ? visit.words("push.app_name") : preview.message.title,
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
}
